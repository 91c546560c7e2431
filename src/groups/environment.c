/* groups/environment.c - fans, power and temperatures. Source: `ipmitool -c sdr`, its lines "NAME,VALUE,UNIT,STATE"; how a name is made short
 * is what collectl 4.3.1 was seen to do:
 *
 *   "FAN 1" FAN1   "Fan 5A" Fan5A   "System Fan 2" SFan2   "CPU1 Temp" CTemp1   "Fan Block 1" BFan   "Temp 30 (Sys)" STemp30
 *   "Power Meter" Power   what is neither fan nor temp nor power meter is left out */
#include "groups/environment.h"

#include "groups/list.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "base/cleanup.h"

enum { READING, FAN, POWER, TEMP, N_METRICS };
enum { VALUE_SIZE = 32, KIND_IDS = 10000, LINE_MAX_SIZE = 512 };

#define INDOM_SENSORS PF_INDOM_OWN(3)

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[READING] = { "perfolio.env.reading", PF_PMID_OWN(80), INDOM_SENSORS, PF_STRING, PF_INSTANT, PF_UNITS_NONE, "what the sensor says" },
	[FAN] = { "perfolio.env.fan", PF_PMID_OWN(81), INDOM_SENSORS, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, "speed of a fan" },
	[POWER] = { "perfolio.env.power", PF_PMID_OWN(82), INDOM_SENSORS, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, "watts" },
	[TEMP] = { "perfolio.env.temperature", PF_PMID_OWN(83), INDOM_SENSORS, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, "degrees" },
};
/* clang-format on */

/* A sensor's name, taken apart. */
struct parts {
	struct pf_view prefix, name, instance, suffix;
	unsigned kind;
};

static const struct {
	const char *word;
	unsigned kind;
} words[] = { { "fan", FAN }, { "temp", TEMP }, { "power meter", POWER } };

static bool take_apart(struct pf_view text, struct parts *ret)
{
	for (size_t at = 0; at < text.n; at++) {
		for (unsigned i = 0; i < PF_N(words); i++) {
			size_t n = strlen(words[i].word);
			if (text.n - at < n || strncasecmp(text.p + at, words[i].word, n) != 0)
				continue;
			size_t rest = at + n;
			while (rest < text.n && text.p[rest] == ' ')
				rest++;
			size_t end = rest;
			while (end < text.n && text.p[end] >= '0' && text.p[end] <= '9')
				end++;
			*ret = (struct parts){ { text.p, at },
					       { text.p + at, n },
					       { text.p + rest, end - rest },
					       { text.p + end, text.n - end },
					       words[i].kind };
			return true;
		}
	}
	return false;
}

static bool is_capital(struct pf_view v, size_t at)
{
	return v.n > at && v.p[at] >= 'A' && v.p[at] <= 'Z';
}

/* The number right behind the letters that it begins with: "CPU1" */
static struct pf_view number_in(struct pf_view prefix)
{
	size_t at = 0;
	while (at < prefix.n && isalpha((unsigned char)prefix.p[at]))
		at++;
	size_t end = at;
	while (at > 0 && end < prefix.n && prefix.p[end] >= '0' && prefix.p[end] <= '9')
		end++;
	return (struct pf_view){ prefix.p + at, end - at };
}

static void put(char name[PF_ENV_NAME], struct pf_view v)
{
	size_t n = strlen(name);
	size_t take = v.n < PF_ENV_NAME - 1 - n ? v.n : PF_ENV_NAME - 1 - n;
	memcpy(name + n, v.p, take);
	name[n + take] = '\0';
}

static void shorten(const struct parts *p, char name[PF_ENV_NAME])
{
	struct pf_view instance = p->instance.n > 0 ? p->instance : number_in(p->prefix);
	bool bracket = p->suffix.n > 2 && p->suffix.p[0] == ' ' && p->suffix.p[1] == '(';
	name[0] = '\0';
	if (p->prefix.n > 0)
		put(name, (struct pf_view){ p->prefix.p, 1 });
	else if (bracket)
		put(name, (struct pf_view){ p->suffix.p + 2, 1 });
	else if (p->instance.n == 0 && is_capital(p->suffix, 0))
		put(name, (struct pf_view){ p->suffix.p, 1 });
	put(name, (struct pf_view){ p->name.p, p->kind == POWER ? 5 : p->name.n });
	put(name, instance);
	if (p->instance.n > 0 && is_capital(p->suffix, 0))
		put(name, (struct pf_view){ p->suffix.p, 1 });
}

/* Perl's s/EXPRESSION/TEXT/. */
static void remap(const struct pf_env_remap *r, char name[PF_ENV_NAME])
{
	regmatch_t m[10];
	char made[PF_ENV_NAME] = "";
	if (regexec(&r->regex, name, 10, m, 0) != 0)
		return;
	put(made, (struct pf_view){ name, (size_t)m[0].rm_so });
	for (const char *c = r->text; *c != '\0'; c++) {
		int part = c[0] == '$' && c[1] >= '1' && c[1] <= '9' ? c[1] - '0' : 0;
		if (part == 0) {
			put(made, (struct pf_view){ c, 1 });
			continue;
		}
		if (m[part].rm_so >= 0)
			put(made, (struct pf_view){ name + m[part].rm_so, (size_t)(m[part].rm_eo - m[part].rm_so) });
		c++;
	}
	put(made, pf_view_of(name + m[0].rm_eo));
	memcpy(name, made, sizeof(made));
}

/* The reading as it is shown, in @text, and as a number if it is one. */
static bool convert(const struct pf_env_options *o, unsigned kind, struct pf_view reading, struct pf_view unit,
		    char text[VALUE_SIZE], double *ret_v)
{
	size_t n = reading.n < VALUE_SIZE - 1 ? reading.n : VALUE_SIZE - 1;
	memcpy(text, reading.p, n);
	text[n] = '\0';
	if (n == 0)
		memcpy(text, "-1", sizeof("-1"));
	if (pf_view_double(reading, ret_v) < 0) {
		if (o && o->whole && n > 0)
			memcpy(text, "0", sizeof("0")); /* as collectl has it */
		return false;
	}
	bool fahrenheit = unit.n > 0 && unit.p[unit.n - 1] == 'F';
	double v = *ret_v;
	if (o && kind == TEMP && o->unit == 'F' && !fahrenheit)
		v = v * 1.8 + 32;
	if (o && kind == TEMP && o->unit == 'C' && fahrenheit)
		v = (v - 32) / 1.8;
	if (o && o->whole)
		v = trunc(v);
	if (v != *ret_v)
		(void)snprintf(text, VALUE_SIZE, "%.10g", v);
	*ret_v = v;
	return true;
}

static bool is_chosen(const struct pf_env_options *o, unsigned kind)
{
	return !o || (kind == FAN ? o->fans : kind == POWER ? o->power : o->temps);
}

static void debug(const struct pf_env_options *o, struct pf_view line, const struct parts *p)
{
	if (!o || !o->told)
		return;
	pf_notice(o->told, PF_INFO, "%.*s", (int)line.n, line.p);
	if (p)
		pf_notice(o->told, PF_INFO, "  Prefix: %.*s  Name: %.*s  Instance: %.*s  Suffix: %.*s",
			  (int)p->prefix.n, p->prefix.p, (int)p->name.n, p->name.p, (int)p->instance.n, p->instance.p,
			  (int)p->suffix.n, p->suffix.p);
}

/* What stands up to the next comma. */
static struct pf_view field(struct pf_view *rest)
{
	const char *comma = rest->n ? memchr(rest->p, ',', rest->n) : NULL;
	struct pf_view v = { rest->p, comma ? (size_t)(comma - rest->p) : rest->n };
	*rest = comma ? (struct pf_view){ comma + 1, rest->n - v.n - 1 } : (struct pf_view){ rest->p + rest->n, 0 };
	return pf_view_trim(v);
}

static void sensor(struct pf_view line, struct pf_builder *b, struct pf_indom *dom)
{
	const struct pf_env_options *o = b->env;
	char raw[PF_ENV_NAME] = "", name[PF_ENV_NAME], text[VALUE_SIZE];
	struct pf_view rest = line;
	struct parts p;
	double v = 0;
	put(raw, field(&rest));
	for (unsigned i = 0; o && i < o->n_rules; i++)
		remap(&o->rules[i], raw);
	struct pf_view reading = field(&rest);
	struct pf_view unit = field(&rest);
	bool known = take_apart(pf_view_of(raw), &p);
	debug(o, line, known ? &p : NULL);
	if (!known || !is_chosen(o, p.kind))
		return;
	shorten(&p, name);
	for (unsigned i = 0; o && i < o->n_remaps; i++)
		remap(&o->remaps[i], name);
	int32_t id = (int32_t)(p.kind * KIND_IDS + dom->n);
	int slot = pf_indom_slot(dom, pf_view_of(name), UINT32_MAX, id, b->sample->seq);
	if (slot < 0) {
		b->oom = slot;
		return;
	}
	if (convert(o, p.kind, reading, unit, text, &v) && isfinite(v))
		pf_builder_double(b, p.kind, (unsigned)slot, v);
	pf_builder_str(b, READING, (unsigned)slot, pf_view_of(text));
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + READING);
	struct pf_view line;
	while (dom && pf_view_line(&text, &line) == 0) {
		if (line.n > 0)
			sensor(line, b, dom);
	}
}

/* Only lines that the user wants are recorded, too. */
static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	char text[LINE_MAX_SIZE];
	if (!filter || !filter->env || !filter->env->has_keep)
		return true;
	size_t n = line->n < sizeof(text) ? line->n : sizeof(text) - 1;
	memcpy(text, line->p, n);
	text[n] = '\0';
	return regexec(&filter->env->keep, text, 0, NULL, 0) == 0;
}

enum pf_env_kind pf_env_kind(const struct pf_instance *sensor)
{
	int32_t kind = sensor->id / KIND_IDS;
	return kind == FAN ? PF_ENV_FAN : kind == POWER ? PF_ENV_POWER : PF_ENV_TEMP;
}

const char *pf_env_reading(const struct pf_sample *sample, unsigned base, unsigned slot)
{
	return pf_sample_has(sample, base + READING, slot) ? pf_sample_get(sample, base + READING, slot).s : NULL;
}

static const char *const command[] = { "ipmitool", "-c", "sdr", NULL };

static const struct pf_row rows[] = {
	{ .path = "ipmitool -c sdr", .command = command, .tag = "ipmi:", .keep = keep, .parse = parse },
};

#define TEXT	   .calc = PF_CALC_TEXT, .num = PF_SUM(READING)
#define VALUE(...) .calc = PF_CALC_VALUE, .num = PF_SUM(__VA_ARGS__)

/* clang-format off */
static const struct pf_column verbose[] = { { .before = " ", TEXT, .spread = true, .draw = PF_DRAW_RIGHT, .width = 7 } };

/* The kind of a sensor is told by which value it has; the text is what is shown. */
static const struct pf_column plot[] = {
	{ .name = "Speed", VALUE(FAN), .draw = PF_DRAW_GENERAL, .optional = true },
	{ .name = "Watts", VALUE(POWER), .draw = PF_DRAW_GENERAL, .optional = true },
	{ .name = "Temp", VALUE(TEMP), .draw = PF_DRAW_GENERAL, .optional = true },
};

static const struct pf_column exported[] = { { .name = "env", .units = "", VALUE(FAN, POWER, TEMP), .draw = PF_DRAW_GENERAL } };

#define ACROSS(m) .rows = PF_METRIC(READING), .across = PF_METRIC(m), .columns = verbose, .n_columns = PF_N(verbose)

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_VERBOSE, .letter = 'E', .stacked = true, .unless = PF_WITH_ENV_LINES, .title = "ENVIRONMENTAL STATISTICS",
	  .head2 = "{e}", .lead = " ", ACROSS(READING) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'E', .stacked = true, .when = PF_WITH_ENV_LINES, .title = "ENVIRONMENTAL STATISTICS",
	  .head2 = "{e}", .lead = " ", ACROSS(FAN) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'E', .stacked = true, .when = PF_WITH_ENV_LINES, .title = "", .head2 = "{e}", .lead = " ", ACROSS(POWER) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'E', .stacked = true, .when = PF_WITH_ENV_LINES, .title = "", .head2 = "{e}", .lead = " ", ACROSS(TEMP) },
	{ .view = PF_VIEW_PLOT, .letter = 'E', .rows = PF_METRIC(READING), .label = "ENV:", .sort = PF_SORT_ID, .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 'E', .rows = PF_METRIC(READING), .sort = PF_SORT_ID, .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 'E', .unless = PF_GANGLIA_ALONE, .rows = PF_METRIC(READING), .label = "env", .sort = PF_SORT_ID,
	  .columns = exported, .n_columns = PF_N(exported) },
};
/* clang-format on */

const struct pf_group pf_group_environment = {
	.letters = "E",
	.name = "environment",
	.what = "fans, power, temperatures of ipmitool, at the third interval",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};
