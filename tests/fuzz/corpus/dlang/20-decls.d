typedef struct foo { int a:3; unsigned b:29; union { char c[4]; long d; }; struct foo *next; } foo_t;
enum color { RED, GREEN = 5, BLUE };
int tab[int, string];
self foo_t *f;
this int n;
inline int N = 4 + GREEN;
inline int add[int a, int b] = a + b;
struct out { int x; string s; };
translator struct out < foo_t *P > { x = P->a; s = P->c; };
provider my { probe one(int, char *) : (int a, string b); probe two(); };
#pragma D option quiet
# 12 "file.d" 1
BEGIN
{
	this->f = (foo_t *)alloca(sizeof (foo_t));
	this->f->a = 2;
	this->f->next = NULL;
	tab[1, "x"] = add[N, 3];
	trace((xlate <struct out> (this->f)).x);
	trace(offsetof(foo_t, d));
}
