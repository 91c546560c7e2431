struct node;
struct node { struct node *next; int v; };
BEGIN { printf("%d", sizeof(struct node)); exit(0); }
