# 100 "other.d"
BEGIN { y = ; }
