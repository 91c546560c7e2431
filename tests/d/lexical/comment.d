/* one */ BEGIN /* two
lines */ { /**/ printf("%d", 1 /* * / ** */ + 2); exit(0); } /* end
*/
