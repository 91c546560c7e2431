/* bpf/agg.c - aggregations as user space sees them: read, merged over the CPUs, sorted, divided. */
#include "trace/bpf/agg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "trace/bpf/syms.h"
#include "trace/bpf/value.h"

/* One key with the merged values of the aggregations that are shown together. */
struct row {
	const struct pf_agg *layout; /* whose fields tell where the parts of the key are */
	const uint8_t *key;
	int64_t *words[]; /* one for each aggregation; NULL: it has no such key */
};

struct table {
	struct pf_trace *t;
	struct pf_dagg *const *aggs;
	size_t n_aggs;
	struct row **rows;
	size_t n, cap;
	bool merge; /* different keys in the kernel can be one row: symbols */
};

static struct pf_agg *host_of(const struct pf_dagg *agg)
{
	return agg->host;
}

static uint64_t generation(const struct pf_trace *t, const struct pf_dagg *agg)
{
	uint64_t gen;
	memcpy(&gen, (const char *)t->maps[PF_MAP_STATE].mem + t->state_gens + 8 * (size_t)agg->id, sizeof(gen));
	return gen;
}

/* merge() - add one CPU's components to @to. */
static void merge(const struct pf_dagg *agg, int64_t *to, const int64_t *from)
{
	const struct pf_agg *host = host_of(agg);
	if (agg->kind == PF_AGG_MIN || agg->kind == PF_AGG_MAX) {
		bool better = agg->kind == PF_AGG_MIN ? from[1] < to[1] : from[1] > to[1];
		if (from[0] && (!to[0] || better))
			to[1] = from[1];
		to[0] += from[0];
		return;
	}
	for (uint32_t i = 0; i < host->words; i++)
		to[i] = (int64_t)((uint64_t)to[i] + (uint64_t)from[i]);
	if (agg->kind == PF_AGG_STDDEV && (uint64_t)to[2] < (uint64_t)from[2])
		to[3]++; /* carry of the 128-bit sum */
}

/* compare_field() - one part of two keys, each laid out in its own way. */
static int compare_field(const struct pf_field *fa, const uint8_t *a, const struct pf_field *fb, const uint8_t *b)
{
	if (fa->kind == PF_FIELD_INT) {
		int64_t x = pf_value_int(fa, a), y = pf_value_int(fb, b);
		if (fa->is_signed)
			return x < y ? -1 : x > y;
		return (uint64_t)x < (uint64_t)y ? -1 : (uint64_t)x > (uint64_t)y;
	}
	size_t n = fa->size < fb->size ? fa->size : fb->size;
	if (fa->kind == PF_FIELD_TEXT) { /* slots of different lengths end in zeros */
		struct pf_datum x = pf_value_datum(fa, a), y = pf_value_datum(fb, b);
		n = x.text.n < y.text.n ? x.text.n : y.text.n;
		int d = memcmp(x.text.p, y.text.p, n);
		return d ? d : x.text.n < y.text.n ? -1 : x.text.n > y.text.n;
	}
	return memcmp(a + fa->off, b + fb->off, n);
}

/* same_key() - do two keys of @n parts mean the same? */
static bool same_key(const struct pf_agg *la, const uint8_t *a, const struct pf_agg *lb, const uint8_t *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (compare_field(&la->keys[i], a, &lb->keys[i], b) != 0)
			return false;
	}
	return true;
}

/* is_symbol() - do addresses of one function or module make one key? */
static bool is_symbol(enum pf_field_kind kind)
{
	return kind == PF_FIELD_SYM || kind == PF_FIELD_MOD || kind == PF_FIELD_USYM || kind == PF_FIELD_UMOD;
}

/* has_symbols() - keys by function or module, whose addresses differ though they mean the same. */
static bool has_symbols(const struct pf_dagg *agg)
{
	for (unsigned i = 0; i < agg->n_keys; i++) {
		enum pf_field_kind kind = host_of(agg)->keys[i].kind;
		if (is_symbol(kind))
			return true;
	}
	return false;
}

/* settle_symbols() - addresses in @key become those that their function or module begins with. */
static void settle_symbols(struct pf_trace *t, const struct pf_dagg *agg, uint8_t *key)
{
	for (unsigned i = 0; i < agg->n_keys; i++) {
		const struct pf_field *f = &host_of(agg)->keys[i];
		if (!is_symbol(f->kind))
			continue;
		bool user = f->kind == PF_FIELD_USYM || f->kind == PF_FIELD_UMOD;
		uint64_t pid = 0;
		uint64_t address;
		uint8_t *at = key + f->off;
		if (user) {
			memcpy(&pid, at, sizeof(pid));
			at += sizeof(pid);
		}
		memcpy(&address, at, sizeof(address));
		address = pf_syms_start(t, (int)pid, address, f->kind == PF_FIELD_MOD || f->kind == PF_FIELD_UMOD);
		memcpy(at, &address, sizeof(address));
	}
}

/* find_row() - the row of @key of column @column, made if it is not there. NULL without memory. */
static struct row *find_row(struct table *table, size_t column, const uint8_t *key)
{
	const struct pf_dagg *agg = table->aggs[column];
	const struct pf_agg *layout = host_of(agg);
	uint8_t *copy = pf_arena_alloc(&table->t->event_arena, layout->key_size);
	if (!copy)
		return NULL;
	memcpy(copy, key, layout->key_size);
	if (table->merge)
		settle_symbols(table->t, agg, copy);
	for (size_t i = 0; (table->n_aggs > 1 || table->merge) && i < table->n; i++) {
		struct row *row = table->rows[i];
		if (same_key(row->layout, row->key, layout, copy, agg->n_keys))
			return row;
	}
	if (table->n == table->cap) {
		size_t cap = table->cap ? table->cap * 2 : 64;
		struct row **more = reallocarray(table->rows, cap, sizeof(struct row *));
		if (!more)
			return NULL;
		table->rows = more;
		table->cap = cap;
	}
	struct row *row = pf_arena_alloc(&table->t->event_arena, sizeof(*row) + table->n_aggs * sizeof(row->words[0]));
	if (!row)
		return NULL;
	row->layout = layout;
	row->key = copy;
	table->rows[table->n++] = row;
	return row;
}

/* add_value() - the value of @key over all CPUs goes into column @column. */
static int add_value(struct table *table, size_t column, const uint8_t *key, const uint8_t *slots)
{
	struct pf_trace *t = table->t;
	const struct pf_dagg *agg = table->aggs[column];
	const struct pf_agg *host = host_of(agg);
	uint32_t stride = 8 + 8 * host->words;
	unsigned cpus = host->shared ? 1 : t->n_cpus;
	uint64_t gen = generation(t, agg);
	bool touched = agg->n_keys > 0; /* a keyless one exists only once it was used */
	for (unsigned cpu = 0; cpu < cpus && !touched; cpu++) {
		uint64_t of;
		memcpy(&of, slots + (size_t)cpu * stride, sizeof(of));
		touched = of > host->truncated;
	}
	if (!touched)
		return 0;
	struct row *row = find_row(table, column, key);
	if (row && !row->words[column])
		row->words[column] = pf_arena_alloc(&t->event_arena, 8 * (size_t)host->words);
	int64_t *words = row ? row->words[column] : NULL;
	if (!words)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		const uint8_t *slot = slots + (size_t)cpu * stride;
		uint64_t of;
		memcpy(&of, slot, sizeof(of));
		if (of == gen)
			merge(agg, words, (const int64_t *)(const void *)(slot + 8));
	}
	return 0;
}

/* is_mine() - is that key of a map that others share one of @agg's? */
static bool is_mine(const struct pf_dagg *agg, const uint8_t *key)
{
	uint64_t id = 0;
	memcpy(&id, key, agg->n_keys ? 8 : 4);
	return id == (agg->n_keys ? agg->id : host_of(agg)->slot);
}

static int collect_column(struct table *table, size_t column)
{
	struct pf_trace *t = table->t;
	const struct pf_agg *host = host_of(table->aggs[column]);
	if (!host || !host->words)
		return 0;
	int fd = t->maps[host->map].fd;
	size_t size = (8 + 8 * (size_t)host->words) * (host->shared ? 1 : t->n_cpus);
	uint8_t *keys = calloc(2, host->key_size + 8);
	uint8_t *value = malloc(size);
	int rc = keys && value ? 0 : -ENOMEM;
	uint8_t *key = keys;
	uint8_t *last = NULL;
	while (rc == 0) {
		rc = pf_bpf_map_next(fd, last, key);
		if (rc < 0)
			break;
		bool mine = is_mine(table->aggs[column], key);
		rc = mine ? pf_bpf_map_get(fd, key, value) : 0;
		if (rc == 0 && mine)
			rc = add_value(table, column, key, value);
		else if (rc == -ENOENT)
			rc = 0;
		last = key;
		key = key == keys ? keys + host->key_size + (8 - host->key_size % 8) % 8 : keys;
	}
	free(keys);
	free(value);
	return rc == -ENOENT ? 0 : rc;
}

/* isqrt() - square root of 128 bits, truncated. */
static uint64_t isqrt(unsigned __int128 v)
{
	unsigned __int128 root = 0;
	unsigned __int128 bit = (unsigned __int128)1 << 126;
	while (bit > v)
		bit >>= 2;
	while (bit) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
		bit >>= 2;
	}
	return (uint64_t)root;
}

static int64_t stddev(const int64_t *w, int64_t normal)
{
	if (!w[0])
		return 0;
	__int128 squares = (__int128)((unsigned __int128)(uint64_t)w[3] << 64 | (uint64_t)w[2]);
	__int128 mean = w[1] / w[0];
	__int128 variance = squares / w[0] - mean * mean;
	return variance > 0 ? (int64_t)isqrt((unsigned __int128)variance) / normal : 0;
}

/* scalar_of() - the number that is shown; division truncates toward zero, signed. @w NULL: the zero of the function. */
static int64_t scalar_of(const struct pf_dagg *agg, const int64_t *w, int64_t normal)
{
	if (!w)
		return 0;
	switch (agg->kind) {
	case PF_AGG_COUNT:
	case PF_AGG_SUM:
		return w[0] / normal;
	case PF_AGG_MIN:
		return w[0] ? w[1] / normal : INT64_MAX;
	case PF_AGG_MAX:
		return w[0] ? w[1] / normal : INT64_MIN;
	case PF_AGG_AVG:
		return w[0] ? w[1] / normal / w[0] : 0;
	case PF_AGG_STDDEV:
		return stddev(w, normal);
	default:
		return 0;
	}
}

/* label() - the number left of the bar of bucket @i, and the word before it at open ends. */
static void label(const struct pf_dagg *agg, unsigned i, unsigned n, struct pf_bucket *b)
{
	b->value = pf_dagg_bucket_low(agg, i);
	b->op = NULL;
	if (agg->kind == PF_AGG_QUANTIZE)
		return;
	if (i == 0)
		b->op = agg->kind == PF_AGG_LQUANTIZE ? "<" : "<=";
	else if (i + 1 == n)
		b->op = ">=";
	else if (agg->kind == PF_AGG_LLQUANTIZE && b->value == 0 && pf_dagg_bucket_low(agg, i + 1) > 1) {
		b->op = "abs<"; /* the middle, around zero */
		b->value = pf_dagg_bucket_low(agg, i + 1);
	}
}

/* fill_buckets() - the whole table of the quantize family. */
static int fill_buckets(struct pf_trace *t, const struct pf_dagg *agg, const int64_t *w, int64_t normal,
			struct pf_agg_value *v)
{
	unsigned n = host_of(agg)->words;
	struct pf_bucket *buckets = pf_arena_alloc(&t->event_arena, n * sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	unsigned first = n;
	for (unsigned i = 0; i < n; i++) {
		label(agg, i, n, &buckets[i]);
		buckets[i].count = w ? w[i] / normal : 0;
		if (w && w[i] && first == n)
			first = i;
	}
	/* Without a bucket below it in sight the middle one is plainly "less than". */
	for (unsigned i = 0; i < n; i++) {
		if (buckets[i].op && buckets[i].op[0] == 'a' && first != n && i < first)
			buckets[i].op = "<";
	}
	v->buckets = buckets;
	v->n_buckets = n;
	return 0;
}

/* order_value() - what rows are sorted by. */
static double weight(const struct pf_dagg *agg, const int64_t *w)
{
	double sum = 0;
	for (unsigned i = 0; w && i < host_of(agg)->words; i++) {
		if (!w[i])
			continue;
		struct pf_bucket b = { 0 };
		label(agg, i, host_of(agg)->words, &b);
		double value = (double)b.value;
		if (agg->kind == PF_AGG_LQUANTIZE && i == 0)
			value = (double)agg->base - 1;
		else if (agg->kind == PF_AGG_LQUANTIZE && i + 1 == host_of(agg)->words)
			value = (double)b.value + 1;
		sum += value * (double)w[i];
	}
	return sum;
}

static int compare_values(const struct pf_dagg *agg, const int64_t *a, const int64_t *b)
{
	if (agg->kind >= PF_AGG_QUANTIZE) {
		double x = weight(agg, a), y = weight(agg, b);
		return x < y ? -1 : x > y;
	}
	int64_t x = scalar_of(agg, a, 1), y = scalar_of(agg, b, 1);
	return x < y ? -1 : x > y;
}

static int compare_keys(const struct table *table, const struct row *a, const struct row *b)
{
	const struct pf_dagg *agg = table->aggs[0];
	int64_t from = table->t->options.value[PF_OPT_AGGSORTKEYPOS];
	unsigned start = from >= 0 && from < agg->n_keys ? (unsigned)from : 0;
	for (unsigned i = 0; i < agg->n_keys; i++) {
		unsigned k = (start + i) % agg->n_keys;
		int d = compare_field(&a->layout->keys[k], a->key, &b->layout->keys[k], b->key);
		if (d)
			return d;
	}
	return 0;
}

static int compare_columns(const struct table *table, const struct row *a, const struct row *b)
{
	int64_t from = table->t->options.value[PF_OPT_AGGSORTPOS];
	size_t start = from >= 0 && (size_t)from < table->n_aggs ? (size_t)from : 0;
	for (size_t i = 0; i < table->n_aggs; i++) {
		size_t column = (start + i) % table->n_aggs;
		int d = compare_values(table->aggs[column], a->words[column], b->words[column]);
		if (d)
			return d;
	}
	return 0;
}

static int by_options(const void *a, const void *b, void *arg)
{
	const struct table *table = arg;
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	int d = table->t->options.value[PF_OPT_AGGSORTKEY] ? 0 : compare_columns(table, x, y);
	if (!d)
		d = compare_keys(table, x, y);
	return table->t->options.value[PF_OPT_AGGSORTREV] ? -d : d;
}

static int by_value(const void *a, const void *b, void *arg)
{
	const struct table *table = arg;
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	int d = compare_values(table->aggs[0], x->words[0], y->words[0]);
	return d ? d : compare_keys(table, x, y);
}

/* collect() - read every column. table->rows is the caller's to free. */
static int collect(struct table *table)
{
	for (size_t i = 0; i < table->n_aggs; i++)
		table->merge |= host_of(table->aggs[i]) && has_symbols(table->aggs[i]);
	for (size_t i = 0; i < table->n_aggs; i++) {
		int rc = collect_column(table, i);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int make_row(struct table *table, const struct row *from, struct pf_agg_row *row)
{
	struct pf_trace *t = table->t;
	const struct pf_dagg *first = table->aggs[0];
	struct pf_key *keys = pf_arena_alloc(&t->event_arena, (first->n_keys + 1) * sizeof(*keys));
	struct pf_agg_value *values = pf_arena_alloc(&t->event_arena, table->n_aggs * sizeof(*values));
	if (!keys || !values)
		return -ENOMEM;
	for (unsigned i = 0; i < first->n_keys; i++) {
		int rc = pf_value_key(t, &from->layout->keys[i], from->key, &keys[i]);
		if (rc < 0)
			return rc;
	}
	for (size_t i = 0; i < table->n_aggs; i++) {
		const struct pf_dagg *agg = table->aggs[i];
		int64_t normal = host_of(agg)->normal;
		values[i].func = agg->kind;
		if (agg->kind < PF_AGG_QUANTIZE) {
			values[i].scalar = scalar_of(agg, from->words[i], normal);
		} else {
			int rc = fill_buckets(t, agg, from->words[i], normal, &values[i]);
			if (rc < 0)
				return rc;
		}
	}
	*row = (struct pf_agg_row){ keys, first->n_keys, values, host_of(first)->normal };
	return 0;
}

/* format_rows() - the text of printa() with a format: once for each row. */
static const char *format_rows(struct pf_trace *t, const struct pf_dformat *format, const struct pf_record *r)
{
	struct pf_buf out = { 0 };
	for (size_t i = 0; i < r->agg.n_rows; i++) {
		const struct pf_agg_row *row = &r->agg.rows[i];
		struct pf_arg keys[PF_D_MAX_ARGS] = { 0 };
		struct pf_arg aggs[PF_D_MAX_ARGS] = { 0 };
		size_t n = row->n_keys < PF_D_MAX_ARGS ? row->n_keys : PF_D_MAX_ARGS;
		for (size_t k = 0; k < n; k++)
			keys[k].key = row->keys[k];
		for (size_t a = 0; a < r->agg.n_names && a < PF_D_MAX_ARGS; a++)
			aggs[a] = (struct pf_arg){ .agg = &row->values[a], .normal = row->normal };
		pf_format(&out, format, keys, n, aggs, r->agg.n_names, (unsigned)t->options.value[PF_OPT_STACKINDENT]);
	}
	const char *text = out.failed ? NULL : pf_arena_dup(&t->event_arena, pf_buf_text(&out));
	pf_buf_done(&out);
	return text;
}

int pf_agg_record(struct pf_trace *t, struct pf_dagg *const *aggs, size_t n, const struct pf_dformat *format,
		  struct pf_record *r, struct pf_err *err)
{
	struct table table = { .t = t, .aggs = aggs, .n_aggs = n };
	t->symbols_at_ns = UINT64_MAX; /* keys do not tell when they came */
	int rc = collect(&table);
	const char **names = pf_arena_alloc(&t->event_arena, n * sizeof(*names));
	struct pf_agg_row *rows = pf_arena_alloc(&t->event_arena, (table.n + 1) * sizeof(*rows));
	if (rc == 0 && (!names || !rows))
		rc = -ENOMEM;
	if (rc == 0 && table.n)
		qsort_r(table.rows, table.n, sizeof(struct row *), by_options, &table);
	for (size_t i = 0; rc == 0 && i < table.n; i++)
		rc = make_row(&table, table.rows[i], &rows[i]);
	free(table.rows);
	if (rc < 0)
		return pf_err_set(err, rc, "@%s: cannot be read: %s", aggs[0]->name, strerror(-rc));
	for (size_t i = 0; i < n; i++) {
		names[i] = aggs[i]->name;
		host_of(aggs[i])->printed = true;
	}
	*r = (struct pf_record){ .kind = PF_RECORD_AGG };
	r->agg.names = names;
	r->agg.n_names = n;
	r->agg.rows = rows;
	r->agg.n_rows = table.n;
	if (format) {
		r->agg.format = pf_arena_dup(&t->event_arena, format->text);
		r->agg.text = format_rows(t, format, r);
		if (!r->agg.format || !r->agg.text)
			return pf_err_set(err, -ENOMEM, "no memory");
	}
	return 0;
}

void pf_agg_clear(struct pf_trace *t, const struct pf_dagg *agg)
{
	uint64_t gen = generation(t, agg) + 1;
	memcpy((char *)t->maps[PF_MAP_STATE].mem + t->state_gens + 8 * (size_t)agg->id, &gen, sizeof(gen));
}

/* delete_rows() - of the rows [from, to) every key in the kernel; several can belong to one row. */
static int delete_rows(struct table *table, size_t from, size_t to)
{
	struct pf_trace *t = table->t;
	const struct pf_dagg *agg = table->aggs[0];
	const struct pf_agg *host = host_of(agg);
	int fd = t->maps[host->map].fd;
	if (!table->merge) {
		for (size_t i = from; i < to; i++)
			(void)pf_bpf_map_delete(fd, table->rows[i]->key); /* gone already is fine */
		return 0;
	}
	struct table raw = { .t = t, .aggs = table->aggs, .n_aggs = 1 };
	int rc = collect_column(&raw, 0);
	for (size_t k = 0; k < raw.n && rc == 0; k++) {
		uint8_t *settled = pf_arena_alloc(&t->event_arena, host->key_size);
		if (!settled) {
			rc = -ENOMEM;
			break;
		}
		memcpy(settled, raw.rows[k]->key, host->key_size);
		settle_symbols(t, agg, settled);
		for (size_t i = from; i < to; i++) {
			if (same_key(host, settled, host, table->rows[i]->key, agg->n_keys)) {
				(void)pf_bpf_map_delete(fd, raw.rows[k]->key);
				break;
			}
		}
	}
	free(raw.rows);
	return rc;
}

int pf_agg_trunc(struct pf_trace *t, const struct pf_dagg *agg, int64_t keep, struct pf_err *err)
{
	struct pf_dagg *one[] = { (struct pf_dagg *)(uintptr_t)agg };
	struct table table = { .t = t, .aggs = one, .n_aggs = 1 };
	struct pf_agg *host = host_of(agg);
	int rc = collect(&table);
	uint64_t want = keep < 0 ? -(uint64_t)keep : (uint64_t)keep;
	if (rc == 0 && table.n > want) {
		qsort_r(table.rows, table.n, sizeof(struct row *), by_value, &table);
		size_t from = keep < 0 ? want : 0;
		size_t to = keep < 0 ? table.n : table.n - want;
		if (agg->n_keys)
			rc = delete_rows(&table, from, to);
		if (!agg->n_keys) {
			host->truncated = generation(t, agg);
			pf_agg_clear(t, agg);
		}
	}
	free(table.rows);
	return rc < 0 ? pf_err_set(err, rc, "@%s: cannot be read: %s", agg->name, strerror(-rc)) : 0;
}
