/* sinks/screen.h - keys that a sink on a terminal understands beside characters. */
#ifndef PF_SINKS_SCREEN_H
#define PF_SINKS_SCREEN_H

/* PF_KEY_SIZE: the terminal has another size; PF_KEY_PAUSE: from now on nothing new is shown; PF_KEY_RESUME: it is again. */
enum { PF_KEY_SIZE = 256, PF_KEY_PAUSE, PF_KEY_RESUME };

#endif
