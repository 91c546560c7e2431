typedef int mine;
typedef long mine;
