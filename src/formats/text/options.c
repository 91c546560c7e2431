/* formats/text/options.c - words that choose a format, and what each format is. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/text/form.h"

enum { INDENT_DEFAULT = 2, INDENT_MAX = 16 };

static const struct {
	const char *word;
	enum pf_format format;
	bool everywhere; /* also where only the words of DTrace are known */
	const struct pf_doc_form *form;
} formats[] = {
	{ "json", PF_FORMAT_JSON, true, &pf_doc_form_json },
	{ "xml", PF_FORMAT_XML, true, &pf_doc_form_xml },
	{ "html", PF_FORMAT_HTML, true, &pf_doc_form_html },
	{ "jsonl", PF_FORMAT_JSONL, false, &pf_doc_form_jsonl },
	{ "csv", PF_FORMAT_CSV, false, &pf_doc_form_csv },
	{ "text", PF_FORMAT_TEXT, true, NULL },
	{ "none", PF_FORMAT_TEXT, true, NULL },
};

const struct pf_doc_form *pf_doc_form_of(enum pf_format format)
{
	for (size_t i = 0; i < PF_N(formats); i++) {
		if (formats[i].format == format)
			return formats[i].form;
	}
	return NULL;
}

/* The next word up to a comma. Return: whether another one follows. */
static bool next_word(struct pf_view *rest, struct pf_view *ret_word)
{
	const char *comma = memchr(rest->p, ',', rest->n);
	size_t n = comma ? (size_t)(comma - rest->p) : rest->n;
	*ret_word = (struct pf_view){ rest->p, n };
	rest->p += n + (comma ? 1 : 0);
	rest->n -= n + (comma ? 1 : 0);
	return comma != NULL;
}

/* Return: 1 taken; 0 no such word; -EINVAL. */
static int take_format(struct pf_view word, bool all, struct pf_doc_options *o, bool *ret_found, struct pf_err *err)
{
	for (size_t i = 0; i < PF_N(formats); i++) {
		if (!pf_view_is(word, formats[i].word) || !(all || formats[i].everywhere))
			continue;
		if (*ret_found)
			return pf_err_set(err, -EINVAL, "'%s' is a second output format: name one", formats[i].word);
		o->format = formats[i].format;
		*ret_found = true;
		return 1;
	}
	return 0;
}

static int take_indent(struct pf_view number, struct pf_doc_options *o, struct pf_err *err)
{
	uint64_t n;
	if (pf_view_u64(number, &n) < 0 || n > INDENT_MAX)
		return pf_err_set(err, -EINVAL, "indent=%.*s: want a number from 0 to %d",
				  (int)(number.n < 32 ? number.n : 32), number.p, INDENT_MAX);
	o->indent = (unsigned)n;
	return 1;
}

static int take_modifier(struct pf_view word, bool all, struct pf_doc_options *o, struct pf_err *err)
{
	static const char indent[] = "indent=";
	if (pf_view_starts(word, indent)) {
		size_t n = sizeof(indent) - 1;
		return take_indent((struct pf_view){ word.p + n, word.n - n }, o, err);
	}
	if (pf_view_is(word, "pretty"))
		o->pretty = true;
	else if (pf_view_is(word, "bigstr"))
		o->bigstr = true;
	else if (pf_view_is(word, "header"))
		o->header = true;
	else if (all && pf_view_is(word, "texts"))
		o->texts = true;
	else
		return 0;
	return 1;
}

int pf_doc_options_parse(const char *words, bool all_formats, struct pf_doc_options *ret_options, struct pf_err *err)
{
	const char *right = all_formats ? "json, xml, html, jsonl, csv or none" : "json, xml, html, text or none";
	struct pf_doc_options o = { .indent = INDENT_DEFAULT };
	bool found = false;
	bool more = true;
	struct pf_view rest = pf_view_of(words ? words : "");
	while (more) {
		struct pf_view word;
		more = next_word(&rest, &word);
		if (word.n == 0)
			return pf_err_set(err, -EINVAL, "an output format is missing in '%s': use %s",
					  words ? words : "", right);
		int rc = take_format(word, all_formats, &o, &found, err);
		if (rc == 0)
			rc = take_modifier(word, all_formats, &o, err);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return pf_err_set(err, -EINVAL,
					  "'%.*s' is no output format: use %s, and with it pretty, indent=N, bigstr%s",
					  (int)(word.n < 64 ? word.n : 64), word.p, right,
					  all_formats ? ", header or texts" : " or header");
	}
	if (!found)
		return pf_err_set(err, -EINVAL, "'%s' names no output format: use %s", words, right);
	*ret_options = o;
	return 0;
}
