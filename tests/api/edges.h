/* edges.h - cases of edges_ours.c. */
#ifndef EDGES_H
#define EDGES_H

void no_word_for_setarg(void);
void two_defaults(void);
void a_host_that_is_no_name(void);
void a_folio_in_a_folder(void);
void a_replay(void);
void children_of_others(void);
void an_early_end_is_seen(void);
void a_channel_that_is_another_file(void);
void a_start_that_fails(void);
void a_start_without_descriptors(void);
void loggers_of_sessions_before(void);

#endif
