/* import/native.c: what is loaded and what is refused, in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "import/host.h"

struct fixture {
	char folder[64];
	struct perfolio_state state;
};

static int setup(void **state)
{
	static struct fixture f;
	f = (struct fixture){ .folder = "/tmp/import.XXXXXX" };
	assert_non_null(mkdtemp(f.folder));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	const struct fixture *f = *state;
	static const char *const names[] = { "a.so", "b.so" };
	for (size_t i = 0; i < PF_N(names); i++) {
		char path[128];
		(void)snprintf(path, sizeof(path), "%s/%s", f->folder, names[i]);
		(void)unlink(path); /* not every test makes it */
	}
	return rmdir(f->folder);
}

/* Copy the test module @name to a.so of the folder. */
static void put(const struct fixture *f, const char *name, mode_t mode)
{
	char path[512];
	struct pf_buf bytes = { 0 };
	struct pf_err err = { 0 };
	(void)snprintf(path, sizeof(path), "%s/tests/modules/%s.so", getenv("PF_BUILD_ROOT"), name);
	if (pf_io_read_file(-1, path, 64 << 20, &bytes, &err) < 0)
		fail_msg("%s", err.text);
	(void)snprintf(path, sizeof(path), "%s/a.so", f->folder);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, to), bytes.n);
	assert_int_equal(fclose(to), 0);
	assert_int_equal(chmod(path, mode), 0);
	pf_buf_done(&bytes);
}

static int open_spec(struct fixture *f, const char *spec, struct pf_err *err)
{
	const char *const path[] = { f->folder, "/nowhere/at/all", NULL };
	struct pf_import_setup setup = { .spec = spec, .path = path, .state = &f->state };
	struct pf_import *imp = NULL;
	struct pf_catalog *cat = pf_catalog_new();
	assert_non_null(cat);
	int rc = pf_import_open(&imp, &setup, cat, err);
	imp = pf_import_close(imp);
	cat = pf_catalog_free(cat);
	return rc;
}

static void refused(struct fixture *f, const char *spec, int rc, const char *words)
{
	struct pf_err err = { 0 };
	assert_int_equal(open_spec(f, spec, &err), rc);
	if (!strstr(err.text, words) || strchr(err.text, '\n'))
		fail_msg("%s: said: %s", spec, err.text);
}

static void a_module_is_found_by_its_bare_name_in_the_folders(void **state)
{
	struct pf_err err = { 0 };
	put(*state, "declared", 0644);
	if (open_spec(*state, "a", &err) < 0)
		fail_msg("%s", err.text);
	if (open_spec(*state, "a.so,sd", &err) < 0)
		fail_msg("%s", err.text);
}

static void a_module_twice_in_the_list_is_refused(void **state)
{
	put(*state, "declared", 0644);
	refused(*state, "a:a", -EEXIST, "declared is there twice");
}

static void a_missing_module_names_every_place(void **state)
{
	const struct fixture *f = *state;
	char words[256];
	(void)snprintf(words, sizeof(words),
		       "there is no ./nosuch.so, ./nosuch.ph, %s/nosuch.so, %s/nosuch.ph, /nowhere", f->folder,
		       f->folder);
	refused(*state, "nosuch", -ENOENT, words);
	refused(*state, "/nosuch/x.so", -ENOENT, "there is no /nosuch/x.so");
	refused(*state, "", -EINVAL, "without a name");
}

static void a_script_needs_its_interpreter(void **state)
{
	const struct fixture *f = *state;
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/some.ph", f->folder);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_true(fputs("1;\n", to) >= 0);
	assert_int_equal(fclose(to), 0);
	refused(*state, path, -ENOTSUP, "modules in Perl need perfolio's perl/perl.so");
	assert_int_equal(unlink(path), 0);
}

static void another_major_version_is_refused(void **state)
{
	put(*state, "major", 0644);
	refused(*state, "a", -EPROTO, "a.so: built for module API 2.7, this is 1.");
}

static void a_short_struct_is_refused(void **state)
{
	put(*state, "short", 0644);
	refused(*state, "a", -ENOEXEC, "its struct ends after");
}

static void a_shared_object_without_the_symbol_is_refused(void **state)
{
	put(*state, "nosymbol", 0644);
	refused(*state, "a", -ENOEXEC, "it has no symbol perfolio_module");
}

/* Where the last byte of the file that is loaded ends: linkers put sections that are not loaded behind it, and pack the rest more or less densely. */
static off_t loaded_end(const char *path)
{
	ElfW(Ehdr) head;
	FILE *from = fopen(path, "r");
	assert_non_null(from);
	assert_int_equal(fread(&head, sizeof(head), 1, from), 1);
	assert_int_equal(fseek(from, (long)head.e_phoff, SEEK_SET), 0);
	uint64_t end = 0;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		ElfW(Phdr) part;
		assert_int_equal(fread(&part, sizeof(part), 1, from), 1);
		if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end)
			end = part.p_offset + part.p_filesz;
	}
	assert_int_equal(fclose(from), 0);
	return (off_t)end;
}

static void a_module_that_was_cut_off_is_refused(void **state)
{
	const struct fixture *f = *state;
	char path[128];
	put(f, "declared", 0644);
	(void)snprintf(path, sizeof(path), "%s/a.so", f->folder);
	const off_t end = loaded_end(path);
	assert_true(end > 1000);
	const off_t sizes[] = { end - 1, end / 2, 100 };
	for (size_t i = 0; i < PF_N(sizes); i++) {
		assert_int_equal(truncate(path, sizes[i]), 0);
		refused(*state, "a", -ENOEXEC, "the file is cut off");
	}
	assert_int_equal(truncate(path, 20), 0);
	refused(*state, "a", -ENOEXEC, "it is no shared object (ELF)");
}

static void a_text_file_is_refused_before_it_is_loaded(void **state)
{
	const struct fixture *f = *state;
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/a.so", f->folder);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_true(fputs("hello\n", to) >= 0);
	assert_int_equal(fclose(to), 0);
	refused(*state, "a", -ENOEXEC, "not a perfolio module: it is no shared object");
	assert_int_equal(truncate(path, 0), 0);
	refused(*state, "a", -ENOEXEC, "not a perfolio module: it is no shared object");
	refused(*state, f->folder, -ENOEXEC, "it is no regular file");
}

static void a_file_that_others_may_write_is_refused(void **state)
{
	put(*state, "declared", 0646);
	refused(*state, "a", -EPERM, "others may write the file");
}

static void a_folder_that_others_may_write_is_refused(void **state)
{
	const struct fixture *f = *state;
	put(*state, "declared", 0644);
	assert_int_equal(chmod(f->folder, 0777), 0);
	refused(*state, "a", -EPERM, "others may write the folder of the file");
}

static void a_file_of_another_user_is_refused(void **state)
{
	const struct fixture *f = *state;
	char path[128];
	if (geteuid() != 0)
		skip();
	put(*state, "declared", 0644);
	(void)snprintf(path, sizeof(path), "%s/a.so", f->folder);
	assert_int_equal(chown(path, 54321, 0), 0);
	refused(*state, "a", -EPERM, "belongs to user 54321");
}

static void a_link_is_followed_before_the_file_is_judged(void **state)
{
	const struct fixture *f = *state;
	char from[128], to[128];
	put(*state, "declared", 0646);
	(void)snprintf(from, sizeof(from), "%s/b.so", f->folder);
	(void)snprintf(to, sizeof(to), "%s/a.so", f->folder);
	assert_int_equal(symlink(to, from), 0);
	refused(*state, "b", -EPERM, "a.so: refused, others may write the file");
}

static void members_that_the_size_does_not_cover_are_not_read(void **state)
{
	(void)state;
	struct perfolio_module given = {
		.size = offsetof(struct perfolio_module, analyze),
		.major = PERFOLIO_MODULE_MAJOR,
		.name = "old",
		.init = (int (*)(struct perfolio_ctx *, const char *, struct perfolio_setup *))(void *)setup,
		.get_data = (int (*)(struct perfolio_ctx *))(void *)setup,
		.analyze = (int (*)(struct perfolio_ctx *, const char *, const char *))(void *)setup,
	};
	struct perfolio_module is;
	assert_int_equal(pf_module_accept(&is, &given, NULL), 0);
	assert_non_null(is.get_data);
	assert_null(is.analyze);
	given.name = "a b";
	assert_int_equal(pf_module_accept(&is, &given, NULL), -ENOEXEC);
	given.name = "old";
	given.size = 1 << 20;
	assert_int_equal(pf_module_accept(&is, &given, NULL), -ENOEXEC);
	given.size = 4;
	assert_int_equal(pf_module_accept(&is, &given, NULL), -ENOEXEC);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_module_is_found_by_its_bare_name_in_the_folders),
		TEST(a_module_twice_in_the_list_is_refused),
		TEST(a_missing_module_names_every_place),
		TEST(a_script_needs_its_interpreter),
		TEST(another_major_version_is_refused),
		TEST(a_short_struct_is_refused),
		TEST(a_shared_object_without_the_symbol_is_refused),
		TEST(a_module_that_was_cut_off_is_refused),
		TEST(a_text_file_is_refused_before_it_is_loaded),
		TEST(a_file_that_others_may_write_is_refused),
		TEST(a_folder_that_others_may_write_is_refused),
		TEST(a_file_of_another_user_is_refused),
		TEST(a_link_is_followed_before_the_file_is_judged),
		TEST(members_that_the_size_does_not_cover_are_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
