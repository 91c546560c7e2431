inline int nine = 9;
inline string greeting = "hello";
BEGIN { printf("%d %s", nine + 1, greeting); exit(0); }
