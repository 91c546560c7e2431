/* modules/feed/curl.c - one URL through libcurl; a shared object of its own, which only the process that waits for the answer loads. */
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aside.h"
#include "base/time.h"

enum { REDIRECTS_MAX = 5 };

#define ACCEPT "Accept: application/openmetrics-text;version=1.0.0;q=0.9,text/plain;version=0.0.4;q=0.8,*/*;q=0.1"

/* Where a text goes that is fetched. */
struct to {
	struct pf_buf *text;
	size_t limit;
	bool full;
};

static size_t take(char *bytes, size_t size, size_t n, void *arg)
{
	struct to *to = arg;
	if (size * n > to->limit - to->text->n) {
		to->full = true;
		return 0;
	}
	pf_buf_add(to->text, bytes, size * n);
	return to->text->failed ? 0 : size * n;
}

static int says(struct pf_feed_answer *a, int rc, const char *why)
{
	(void)snprintf(a->why, sizeof(a->why), "%s", why);
	return rc;
}

static int fetch(CURL *curl, struct to *to, struct pf_feed_answer *a)
{
	char why[CURL_ERROR_SIZE] = "";
	(void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
	CURLcode code = curl_easy_perform(curl);
	(void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, NULL);
	if (to->full) {
		(void)snprintf(a->why, sizeof(a->why), "it sends more than %zu bytes", to->limit);
		return -EFBIG;
	}
	if (code == CURLE_PEER_FAILED_VERIFICATION) {
		(void)snprintf(a->why, sizeof(a->why), "%.120s; $SSL_CERT_FILE can name a file of who is trusted",
			       why[0] ? why : curl_easy_strerror(code));
		return -EIO;
	}
	if (code != CURLE_OK)
		return says(a, code == CURLE_OPERATION_TIMEDOUT ? -ETIMEDOUT : -EIO,
			    why[0] ? why : curl_easy_strerror(code));
	long status = 0;
	const char *type = NULL;
	(void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	(void)curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
	if (status != 200) {
		(void)snprintf(a->why, sizeof(a->why), "it answers with status %ld", status);
		return -EPROTO;
	}
	if (type && strncasecmp(type, "text/html", 9) == 0)
		return says(a, -EPROTO,
			    "it answers with a page for people; the path to the metrics is another, often /metrics");
	a->strict = type && strncasecmp(type, "application/openmetrics-text", 28) == 0;
	return 0;
}

/* Not to files or mail, whatever a server redirects to. */
static void web_only(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	(void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
	(void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	(void)curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Who is trusted, as curl(1) and OpenSSL are told; libcurl looks at neither. */
static void trust(CURL *curl)
{
	const char *file = getenv("CURL_CA_BUNDLE");
	const char *folder = getenv("SSL_CERT_DIR");
	if (!file || file[0] == '\0')
		file = getenv("SSL_CERT_FILE");
	if (file && file[0] != '\0')
		(void)curl_easy_setopt(curl, CURLOPT_CAINFO, file);
	if (folder && folder[0] != '\0')
		(void)curl_easy_setopt(curl, CURLOPT_CAPATH, folder);
}

__attribute__((visibility("default"))) pf_feed_fetch_fn pf_feed_fetch;

/* The handle is made anew each time: what a server may leave behind in one stays small, and a connection costs little on the way to a host
 * that is asked once per interval. */
int pf_feed_fetch(const char *url, int64_t timeout_ns, size_t limit, struct pf_buf *text, struct pf_feed_answer *a)
{
	struct to to = { text, limit, false };
	pf_buf_clear(text);
	CURL *curl = curl_easy_init();
	struct curl_slist *headers = curl_slist_append(NULL, ACCEPT);
	if (!curl || !headers) {
		curl_easy_cleanup(curl);
		curl_slist_free_all(headers);
		return says(a, -ENOMEM, "no memory");
	}
	(void)curl_easy_setopt(curl, CURLOPT_URL, url);
	web_only(curl);
	trust(curl);
	(void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX);
	(void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(timeout_ns / PF_NS_PER_MS));
	(void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
	(void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "perfolio/" PF_VERSION);
	(void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	(void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	(void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, &to);
	int rc = fetch(curl, &to, a);
	curl_easy_cleanup(curl);
	curl_slist_free_all(headers);
	return rc;
}
