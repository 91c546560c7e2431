/* bpf/gen_dpath.c - paths of the kernel: d_path(), cwd, root. From a dentry up to the root of the process, over mounts; the text is
 * written from its end to the left, a component a round. What is known lies in scratch memory, so that the rounds look alike. */
#include "base/err.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/gen.h"

enum { ROOM = 1024, LONGEST_NAME = 255, DEEPEST = 64 };

/* Words in scratch. */
enum { AT, DENTRY = 8, MOUNT = 16, ROOT_DENTRY = 24, ROOT_MOUNT = 32, PARENT = 40, LENGTH = 48, WORDS = 56 };

/* Where this kernel has what is needed. */
struct places {
	uint32_t fs, fs_root, fs_pwd, path_mnt, path_dentry, mnt_root, mount_mnt, mount_parent, mount_point, d_parent,
		name, length;
};

/**
 * struct walk - a path being made.
 * @w: words in scratch; @text: ROOM bytes, the NUL, and room for a name behind them
 */
struct walk {
	struct pf_gen *g;
	struct places p;
	int w;
	uint32_t text;
};

static bool find_places(struct pf_gen *g, const struct pf_dexpr *e, struct places *p)
{
	const struct {
		const char *type, *path;
		uint32_t *to;
	} wanted[] = {
		{ "task_struct", "fs", &p->fs },
		{ "fs_struct", "root", &p->fs_root },
		{ "fs_struct", "pwd", &p->fs_pwd },
		{ "path", "mnt", &p->path_mnt },
		{ "path", "dentry", &p->path_dentry },
		{ "vfsmount", "mnt_root", &p->mnt_root },
		{ "mount", "mnt", &p->mount_mnt },
		{ "mount", "mnt_parent", &p->mount_parent },
		{ "mount", "mnt_mountpoint", &p->mount_point },
		{ "dentry", "d_parent", &p->d_parent },
		{ "dentry", "d_name.name", &p->name },
		{ "dentry", "d_name.len", &p->length },
	};
	struct pf_err err = { 0 };
	if (!g->t->btf && pf_btf_open(&g->t->btf, &err) < 0) {
		pf_gen_fail(g, e, "paths cannot be made: %s", err.text);
		return false;
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (pf_btf_member(g->t->btf, wanted[i].type, wanted[i].path, wanted[i].to) < 0) {
			pf_gen_fail(g, e, "paths cannot be made: this kernel's struct %s has no member %s",
				    wanted[i].type, wanted[i].path);
			return false;
		}
	}
	return true;
}

/* read_at() - R0 = @size bytes at R0 + @off, 0 if they cannot be read. */
static void read_at(struct pf_gen *g, uint32_t off, unsigned size)
{
	struct pf_asm *a = &g->a;
	pf_asm_mov(a, R3, R0);
	pf_asm_alui(a, BPF_ADD, R3, (int32_t)off);
	pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, size, R0, FP, FRAME_TMP);
}

static void load(const struct walk *x, int word, int reg)
{
	pf_asm_load(&x->g->a, 8, reg, R7, x->w + word);
}

static void keep(const struct walk *x, int word)
{
	pf_asm_store(&x->g->a, 8, R7, x->w + word, R0);
}

/* read_path() - the struct path whose address is in spill slot @path, to two words; a fault if it is not there. */
static void read_path(const struct walk *x, unsigned path, int dentry, int mount)
{
	pf_gen_peek(x->g, path, R0);
	pf_asm_alui(&x->g->a, BPF_ADD, R0, (int32_t)x->p.path_dentry);
	pf_gen_read_word(x->g, 8);
	keep(x, dentry);
	pf_gen_peek(x->g, path, R0);
	pf_asm_alui(&x->g->a, BPF_ADD, R0, (int32_t)x->p.path_mnt);
	pf_gen_read_word(x->g, 8);
	keep(x, mount);
}

/* up() - from the root of a mount to where that is mounted; jumps to @done at the root of all. */
static void up(const struct walk *x, pf_label done)
{
	struct pf_asm *a = &x->g->a;
	load(x, MOUNT, R0);
	pf_asm_alui(a, BPF_SUB, R0, (int32_t)x->p.mount_mnt);
	unsigned mount = pf_gen_push(x->g);
	read_at(x->g, x->p.mount_parent, 8);
	keep(x, PARENT);
	pf_gen_peek(x->g, mount, R1);
	pf_asm_jumpr(a, BPF_JEQ, R0, R1, done);
	pf_asm_mov(a, R0, R1);
	read_at(x->g, x->p.mount_point, 8);
	keep(x, DENTRY);
	load(x, PARENT, R0);
	pf_asm_alui(a, BPF_ADD, R0, (int32_t)x->p.mount_mnt);
	keep(x, MOUNT);
	x->g->spilled--;
}

/* component() - the name of the dentry with a slash in front; jumps to @done if there is no room for it. */
static void component(const struct walk *x, pf_label done)
{
	struct pf_asm *a = &x->g->a;
	load(x, DENTRY, R0);
	read_at(x->g, x->p.d_parent, 8);
	keep(x, PARENT);
	load(x, DENTRY, R1);
	pf_asm_jumpr(a, BPF_JEQ, R0, R1, done);
	pf_asm_mov(a, R0, R1);
	read_at(x->g, x->p.length, 4);
	keep(x, LENGTH);
	load(x, DENTRY, R0);
	read_at(x->g, x->p.name, 8);
	pf_asm_mov(a, R3, R0);
	load(x, LENGTH, R2);
	pf_asm_jumpi(a, BPF_JGT, R2, LONGEST_NAME, done);
	load(x, AT, R0);
	pf_asm_alu(a, BPF_SUB, R0, R2);
	pf_asm_alui(a, BPF_SUB, R0, 1);
	pf_asm_jumpi(a, BPF_JGT, R0, ROOM, done);
	keep(x, AT);
	pf_gen_scratch_address(x->g, R1, x->text);
	pf_asm_alu(a, BPF_ADD, R1, R0);
	pf_asm_storei(a, 1, R1, 0, '/');
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	load(x, PARENT, R0);
	keep(x, DENTRY);
}

/* gen_walk() - all the way up. */
static void gen_walk(const struct walk *x)
{
	struct pf_asm *a = &x->g->a;
	pf_label again = pf_asm_label(a);
	pf_label inside = pf_asm_label(a);
	pf_label name = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_const(a, R9, DEEPEST);
	pf_asm_here(a, again);
	load(x, DENTRY, R0);
	load(x, ROOT_DENTRY, R1);
	pf_asm_jumpr(a, BPF_JNE, R0, R1, inside);
	load(x, MOUNT, R0);
	load(x, ROOT_MOUNT, R1);
	pf_asm_jumpr(a, BPF_JEQ, R0, R1, done);
	pf_asm_here(a, inside);
	load(x, MOUNT, R0);
	read_at(x->g, x->p.mnt_root, 8);
	load(x, DENTRY, R1);
	pf_asm_jumpr(a, BPF_JNE, R0, R1, name);
	up(x, done);
	pf_asm_jump(a, next);
	pf_asm_here(a, name);
	component(x, done);
	pf_asm_here(a, next);
	pf_gen_checkpoint(x->g);
	pf_asm_alui(a, BPF_SUB, R9, 1);
	pf_asm_jumpi(a, BPF_JNE, R9, 0, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(x->g);
}

/* own_path() - address of a struct path of the current process, into a spill slot. */
static unsigned own_path(const struct walk *x, uint32_t member)
{
	pf_asm_call(&x->g->a, BPF_FUNC_get_current_task);
	read_at(x->g, x->p.fs, 8);
	pf_asm_alui(&x->g->a, BPF_ADD, R0, (int32_t)member);
	return pf_gen_push(x->g);
}

void pf_gen_path(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e);
	uint32_t to = pf_gen_scratch(g, pf_round8(max + 1));
	struct walk x = { .g = g };
	if (!find_places(g, e, &x.p))
		return;
	x.w = (int)pf_gen_scratch(g, WORDS);
	x.text = pf_gen_scratch(g, ROOM + LONGEST_NAME + 9);
	bool root = e->op == PF_DX_BUILTIN && e->builtin->id == PF_DB_ROOT;
	unsigned path;
	if (e->op == PF_DX_CALL) {
		pf_gen_expr(g, e->args[0]);
		path = pf_gen_push(g);
	} else {
		path = own_path(&x, root ? x.p.fs_root : x.p.fs_pwd);
	}
	read_path(&x, path, DENTRY, MOUNT);
	g->spilled--;
	if (root) { /* as seen from outside */
		pf_asm_storei(a, 8, R7, x.w + ROOT_DENTRY, 0);
		pf_asm_storei(a, 8, R7, x.w + ROOT_MOUNT, 0);
	} else {
		unsigned top = own_path(&x, x.p.fs_root);
		read_path(&x, top, ROOT_DENTRY, ROOT_MOUNT);
		g->spilled--;
	}
	pf_asm_storei(a, 8, R7, x.w + AT, ROOM);
	pf_asm_storei(a, 8, R7, x.w + LENGTH, 0);
	pf_asm_storei(a, 1, R7, (int)x.text + ROOM, 0);
	gen_walk(&x);
	pf_label any = pf_asm_label(a);
	pf_label fits = pf_asm_label(a);
	load(&x, AT, R0);
	pf_asm_jumpi(a, BPF_JLT, R0, ROOM, any);
	pf_asm_storei(a, 1, R7, (int)x.text + ROOM - 1, '/');
	pf_asm_const(a, R0, ROOM - 1);
	pf_asm_here(a, any);
	pf_asm_jumpi(a, BPF_JLE, R0, ROOM, fits);
	pf_asm_const(a, R0, ROOM);
	pf_asm_here(a, fits);
	pf_gen_scratch_address(g, R3, x.text);
	pf_asm_alu(a, BPF_ADD, R3, R0);
	pf_gen_scratch_address(g, R1, to);
	pf_asm_const(a, R2, max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_gen_checkpoint(g);
	*s = (struct pf_str){ STR_SCRATCH, to, max };
}
