/* base/notice.h - things a person should know although work goes on ("..., ignoring"). Library code never prints:
 * it tells the notice, and the command decides where notices go. */
#ifndef PF_BASE_NOTICE_H
#define PF_BASE_NOTICE_H

/* PF_SAID: what a peer says on standard output, come what may. */
enum pf_severity { PF_INFO, PF_WARNING, PF_SAID };

/* @tell gets one sentence without newline; may be NULL: then nobody listens. */
struct pf_notice {
	void (*tell)(void *arg, enum pf_severity severity, const char *text);
	void *arg;
};

void pf_notice(const struct pf_notice *to, enum pf_severity severity, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
