/* formats/text/seal.h - a structured document that was cut or damaged becomes whole again. */
#ifndef PF_FORMATS_TEXT_SEAL_H
#define PF_FORMATS_TEXT_SEAL_H

#include "model/sealed.h"

struct pf_err;
struct pf_findings;

/**
 * pf_text_seal() - whole elements stay byte for byte. Behind damage those are kept that are lines of their own, as all are that were written
 * without "pretty". Where something is missing stands an element that says so: a gap among samples, a fault among events of D programs; then come
 * the brackets that end the document.
 * @to: is told what was left out
 *
 * Return: enum pf_sealed; -EBUSY: somebody writes it now; -EINVAL, -EBADMSG: it is no document, or not even its beginning is whole; other negative
 * errno. Then nothing was changed.
 */
int pf_text_seal(const char *path, const struct pf_findings *to, struct pf_err *err);

#endif
