/* transcript.h - the three calls of record mode, with what they say printed so that it does not depend on names, times and process numbers. */
#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include <stdio.h>
#include <sys/types.h>

#include <pcp/pmafm.h>

#include <limits.h>
#include <stddef.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* Six characters that the names of the last session begin with; our folder; does list() tell of the control file? It is not there with the real library. */
extern char unique[8];
extern char here[PATH_MAX];
extern int with_control_file;

__attribute__((format(printf, 1, 2))) void say(const char *fmt, ...);
const char *name_of(int error);

FILE *setup(const char *folio, int replay);
pmRecordHost *add(const char *host, int isdefault);
void show(const char *what, const pmRecordHost *rh);
int control(const char *what, pmRecordHost *rh, int request, const char *options);

/* all_requests() - those that need a session that is on, and those that are none. one_session(): from setup to the end. finish(): end what is on, and take
 * the states. */
void all_requests(const char *when, pmRecordHost *rh);
void one_session(const char *folio);
void finish(pmRecordHost **hosts, size_t n);

/* list() - names and modes in a folder; cat(): a file; seen(): what the logger of UNIQUE + @base got. */
void list(const char *folder);
void cat(const char *path);
void seen(const char *base);

/* wait_end() - until a logger has ended, whose status is left for the library. wait_line(): until it has got a line, ten seconds at most. */
void wait_end(pid_t pid);
void wait_line(const char *base, const char *line);

#endif
