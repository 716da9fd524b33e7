package limits

import "testing"

// lookAlikes talk about limits, or look like it.
var lookAlikes = []string{
	"",
	"Done.",
	"I implemented the rate limiter: it answers 429 Too Many Requests with Retry-After.",
	"Rate limiting now works: clients get 429 after 100 requests per minute.",
	"Added a token bucket. Requests beyond the rate limit get HTTP 429 and try again in 30 seconds.",
	"The rate limit is 100 requests per minute.",
	"- Rate limit exceeded: answered with 429 and Retry-After",
	"* 429 Too Many Requests: the limit is reached",
	"| 429 | Too Many Requests | Rate limit exceeded |",
	"# Too many requests",
	"// Rate limit exceeded: try again later",
	"    limiter_test.go:31: got status 429 Too Many Requests, want 200",
	"--- FAIL: TestRateLimitExceeded (0.01s)",
	"ok  	example.org/limiter	0.429s",
	"FAIL: expected 429 Too Many Requests",
	"Error: expected 200, got 429 Too Many Requests",
	"AssertionError: 429 != 200",
	`{"Action":"output","Package":"limiter","Output":"429 Too Many Requests\n"}`,
	`{"status":"done","summary":"The handler answers 429 with rate_limit_exceeded; try again in 20s."}`,
	`{"v":1,"status":"done","summary":"Rate limit exceeded is an error of its own.","findings":[]}`,
	`{"v":1,"status":"failed","summary":"Rate limit exceeded","message":"x","code":1,"evidence":[]}`,
	"```json\n{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}\n```",
	"The body is {\"error\":{\"type\":\"rate_limit_error\"}}",
	`const limit = 429 // rate limit exceeded`,
	`return errors.New("rate limit exceeded")`,
	`if resp.StatusCode == 429 { return ErrRateLimited }`,
	`var ErrQuota = errors.New("insufficient_quota")`,
	"LIMIT 10 OFFSET 429",
	"Too many requests should be refused with 429.",
	"429 Too Many Requests is returned when the bucket is empty.",
	"Rate limit exceeded errors are retried with backoff.",
	"Rate limit exceeded: returns 429 from the middleware.",
	"Usage limit reached in tests is now a table of its own.",
	"Quota handling moved to quota.go; the usage limit resets at 3am (UTC).",
	"The service was overloaded, so the queue got a bound.",
	"Overloaded functions were renamed.",
	"Error: cannot find module './rate-limit-exceeded'",
	"Error: connect ECONNREFUSED 127.0.0.1:4290",
	"panic: runtime error: index out of range [429] with length 3",
	"500 Internal Server Error",
	"401 Unauthorized: invalid api key",
	`{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`,
	`{"error":{"message":"The model x does not exist","code":"model_not_found"}}`,
	`{"error":{"message":"The rate limiter is not configured","type":"invalid_request_error","code":null}}`,
	`{"error":{"message":"This model's maximum context length is 8192 tokens, rate limit","type":"invalid_request_error","code":"context_length_exceeded"}}`,
	`{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`,
	"Time limit exceeded",
	"Rate limit exceeded for anonymous users: now covered.",
	"Rate limit exceeded in staging.",
	"Rate limit exceeded. All 12 cases pass.",
	"Usage limit reached: the counter is shown in red.",
	"Throttling: added a token bucket.",
	"Overloaded: the queue has a bound now.",
	"Too many requests are refused per minute.",
	"Slow down, it says now, when somebody types too fast.",
	"Insufficient balance: the transfer is refused with an error of its own.",
	"Rate-limited endpoints are listed in docs/limits.md.",
	"The limit of 429 items per page is documented in docs/api.md; see Retry-After.",
	"I hit the rate limit of the staging server while testing, and waited; all is well now.",
	"You've hit your head on the limit of my knowledge.",
	"Quota exceeded for metric is a label I renamed.",
	"Request limit exceeded? Then the caller waits until the window ends.",
	"Out of credits - label for your billing page",
	"HTTP 429 is returned for a model without quota.",
	"429 lines changed, try again later with smaller patches.",
	"Rate limit reached its maximum of 10 requests per second in the load test.",
	"Session limit reached when three users log in; the fourth gets a 403.",
	"Error: expected status 429 but got 200",
	"rate limit: 100 requests per minute",
	"Rate limit: retry after 3 seconds is what the client waits now.",
	"Rate limit, retry after and quota are described in docs/limits.md.",
	"rate limits: a client may retry after 3 seconds.",
	"Rate limit has been reached by no client so far.",
	"Retry after 3 attempts.",
	"Retry after 3 seconds is the default of the client.",
	"retry after 3 seconds, then give up",
	"Retry-After: 30 is sent with each refusal.",
	"Retry-After: documented.",
	"Retry-After: now a date",
	"The client waits for Retry-After: 30",
	"- retry after 5s",
	"| Retry-After | 30 |",
	"Quota exceeded: the counter is shown in red.",
	"Quota exceeded is an error of its own.",
	"Your quota has been exceeded by nobody.",
	"Server overloaded: the queue has a bound now.",
	"Overloaded: the client asks anew, and does so three times.",
	"The service is overloaded in the load test, as planned.",
}

func TestTalkAboutLimitsIsNoLimit(t *testing.T) {
	if len(lookAlikes) < 30 {
		t.Fatalf("only %d look-alikes", len(lookAlikes))
	}
	for _, text := range lookAlikes {
		if got, ok := LimitIn(text, limitNow); ok {
			t.Errorf("%q was taken for %+v", text, got)
		}
	}
}

func TestRequestThatIsTooLongIsAnOverflow(t *testing.T) {
	for text, want := range map[string]bool{
		"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.": true,
		"prompt is too long: 210000 tokens > 200000 maximum":                                                      true,
		"The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).":                 true,
		"Prompt 超长": true,
		`{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes."}}`: true,
		"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.":                                    true,
		"the request exceeds the available context size, try increasing it":                                                      true,
		"Input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000":                                            true,
		"Please reduce the length of the messages or completion.":                                                                true,
		"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length":                 true,
		"Rate limit reached for gpt-4o on tokens per min (TPM). Please try again in 20s.":                                        false,
		"Unknown parameter: 'max_completion_tokens'.":                                                                            false,
		"No such model": false,
		"The request took too long to process. Please try again.":                false,
		"Request timed out: request took too long":                               false,
		"The request is taking too long, please retry":                           false,
		"Your messages are queued for too long":                                  false,
		"The request was queued too long":                                        false,
		"Your request has been waiting for too long":                             false,
		"The request body is too large":                                          true,
		"Your input is far too long":                                             true,
		"messages: text is too long":                                             true,
		"Input tokens too long: 131072 tokens > 98304":                           true,
		"The prompt (35012 tokens) is too large to fit the model's 32768 tokens": true,
	} {
		if got := OverflowIn(text); got != want {
			t.Errorf("%v for %q", got, text)
		}
	}
}

func FuzzLimitIn(f *testing.F) {
	for _, c := range limitMessages {
		f.Add(c.text)
	}
	for _, text := range lookAlikes {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = Judge(Trouble{Text: text}, limitNow)
		limit, ok := LimitIn(text, limitNow)
		if ok != (limit.Kind != "") || !limit.Until.IsZero() && !limit.Until.After(limitNow) {
			t.Errorf("%v %+v", ok, limit)
		}
	})
}
