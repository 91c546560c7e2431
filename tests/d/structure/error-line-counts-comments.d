/* one
two
three */
BEGIN { y = ; }
