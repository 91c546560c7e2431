/* formats/pcp/logwords.h - words of pmlogger's configuration. */
#ifndef PF_FORMATS_PCP_LOGWORDS_H
#define PF_FORMATS_PCP_LOGWORDS_H

#include "base/view.h"
#include "formats/pcp/logconfig.h"

/* Characters that stand for themselves have their own codes. NAME: also a keyword, whoever reads knows which. HOST: an address, a pattern of
 * addresses, unix: or local:, or a name with '-' in it. BAD: no word begins so, and the error was noted. */
enum pf_log_word { PF_LOG_END, PF_LOG_NAME = 256, PF_LOG_NUMBER, PF_LOG_STRING, PF_LOG_HOST, PF_LOG_BAD };

/* @rest: not read yet, from line number @line of the result on; @kind, @text: of the word at hand (of a STRING without quotes), @number;
 * @at: index of its line */
struct pf_log_words {
	struct pf_logconfig *config;
	struct pf_view rest;
	unsigned line;
	int kind;
	struct pf_view text;
	uint64_t number;
	unsigned at;
	bool hosts; /* where hosts are expected, names end at ':' and addresses may begin with letters */
};

/* pf_log_words_next() - the next word becomes the one at hand. */
void pf_log_words_next(struct pf_log_words *w);

/* pf_log_words_place() - where the word at hand is. */
struct pf_preproc_place pf_log_words_place(const struct pf_log_words *w);

#endif
