/* tests/modules/nosymbol.c - a shared object that is no import module. */
__attribute__((visibility("default"))) extern int perfolio_nothing;
int perfolio_nothing = 1;
