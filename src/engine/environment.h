/* engine/environment.h - options of the subsystem E: what --envopts, --envremap, --envrules say, made ready for the parser. */
#ifndef PF_ENGINE_ENVIRONMENT_H
#define PF_ENGINE_ENVIRONMENT_H

struct pf_env_options;
struct pf_err;
struct pf_notice;
struct pf_request;

/**
 * pf_environment_new() - take the options of a request apart. The name of the product, below its root folder, chooses the rules of --envrules.
 *
 * Return: 0, -EINVAL with a sentence, -ENOMEM. The caller frees.
 */
int pf_environment_new(struct pf_env_options **ret, const struct pf_request *req, const struct pf_notice *told,
		       struct pf_err *err);
struct pf_env_options *pf_environment_free(struct pf_env_options *o); /* returns NULL */

#endif
