/* formats/text/number.h - numbers for documents: the same in every locale, and no digit more than needed. */
#ifndef PF_FORMATS_TEXT_NUMBER_H
#define PF_FORMATS_TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { PF_NUMBER_SIZE = 40 }; /* room for any number written here, with its NUL */

/**
 * pf_number_real() - the shortest decimal form that reads back as @v; integers without a point, an exponent only below 1e-6
 * and from 1e21. "nan", "inf" and "-inf" for what is no number.
 * pf_number_float() - the same for a value of single precision.
 *
 * Return: bytes written, without the NUL.
 */
size_t pf_number_real(char text[PF_NUMBER_SIZE], double v);
size_t pf_number_float(char text[PF_NUMBER_SIZE], float v);

/* pf_number_u64(), pf_number_i64() - all digits. pf_number_hex() - "0x", lower case, no leading zeros. Return as above. */
size_t pf_number_u64(char text[PF_NUMBER_SIZE], uint64_t v);
size_t pf_number_i64(char text[PF_NUMBER_SIZE], int64_t v);
/* pf_number_micros() - @v / 10^6, as pf_number_real() writes it. */
size_t pf_number_micros(char text[PF_NUMBER_SIZE], uint64_t v);
size_t pf_number_hex(char text[PF_NUMBER_SIZE], uint64_t v);

#endif
