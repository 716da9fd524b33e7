package openai

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

func TestWordsOfALimitSayHowLongToWait(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		wait    time.Duration
	}{
		"words":             {status(429, `{"error":{"message":"Rate limit reached for m. Please try again in 20.5s.","code":"rate_limit_exceeded"}}`), 20500 * time.Millisecond},
		"header wins":       {status(429, `{"error":{"message":"Rate limit reached for m. Please try again in 20.5s.","code":"rate_limit_exceeded"}}`, "Retry-After", "3"), 3 * time.Second},
		"details in a list": {status(429, `[{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}}]`), 34 * time.Second},
		"another status":    {status(400, `{"error":{"code":"1302","message":"too much at once"}}`), time.Second},
		"ISO":               {status(429, `{"error":{"type":"usage_limit_reached","message":"Your limit resets at 2030-01-01T00:01:30Z"}}`), 90 * time.Second},
		"inside a stream":   {events(textChunk, `{"error":{"message":"Rate limit reached. Please retry after 7 seconds.","code":"rate_limit_exceeded"}}`), 7 * time.Second},
		"inside a chunk":    {events(textChunk, `{"id":"1","error":{"message":"Rate limit exceeded, try again in 9s","code":429},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), 9 * time.Second},
		"in milliseconds":   {status(429, `{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"headers":{"X-RateLimit-Reset":"1893456060000"}}}}`), time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.handler, good)
			m, clock := model(t, s, Options{})
			got, _, err := ask(t, m)
			if err != nil || got.Content != "Hi" || s.count() != 2 || clock.sum() != c.wait {
				t.Errorf("%+v, %v after %d requests and %s", got, err, s.count(), clock.sum())
			}
		})
	}
}

func TestDateWithoutAServerClockIsTakenAgainstOurs(t *testing.T) {
	h := http.Header{"Retry-After": {"Tue, 01 Jan 2030 00:00:42 GMT"}}
	now := func() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }
	if got := retryAfter(h, now); got != 42*time.Second {
		t.Errorf("waits %s", got)
	}
	if got := retryAfter(h, nil); got != 0 {
		t.Errorf("without any clock it waits %s", got)
	}
}

func TestUsedUpQuotaIsNotAskedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		hour    int // of Until; 0: none
	}{
		"quota":                   {status(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`), 0},
		"quota, a generic header": {status(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, "Retry-After", "1"), 0},
		"quota, a long header":    {status(429, `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached"}}`, "Retry-After", "7200"), 2},
		"balance":                 {status(402, `{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}`), 0},
		"payment without words":   {status(402, ``), 0},
		"key's limit":             {status(403, `{"error":{"message":"Key limit exceeded (total limit)","code":403}}`), 0},
		"window":                  {status(429, `{"error":{"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2030-01-01 11:00:00"}}`), 3},
		"inside a stream":         {events(`{"error":{"message":"Insufficient credits","code":402}}`), 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.handler)
			m, _ := model(t, s, Options{})
			_, _, err := ask(t, m)
			var limit *personas.LimitError
			if !errors.As(err, &limit) || !limit.UsedUp || s.count() != 1 {
				t.Fatalf("%v after %d requests", err, s.count())
			}
			if limit.Until.IsZero() != (c.hour == 0) || !limit.Until.IsZero() && limit.Until.Hour() != c.hour {
				t.Errorf("until %s", limit.Until)
			}
			if told := strings.Contains(err.Error(), "used up"); told != limit.Until.IsZero() {
				t.Errorf("it says %v", err)
			}
		})
	}
}

func TestConversationThatIsTooLongIsAnErrorOfItsOwn(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"400 with a code":       status(400, `{"error":{"message":"too many","type":"invalid_request_error","code":"context_length_exceeded"}}`),
		"400 in words":          status(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum","type":"invalid_request_error"}}`),
		"413":                   status(413, `Request Entity Too Large`),
		"429 of one request":    status(429, `{"error":{"message":"Request too large for m on tokens per min (TPM): Limit 6000, Requested 9000","code":"rate_limit_exceeded"}}`),
		"500 of a small server": status(500, `{"error":{"message":"the request exceeds the available context size","code":500}}`),
		"inside a stream":       events(`{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}`),
	} {
		s := serve(t, handler)
		m, _ := model(t, s, Options{})
		_, _, err := ask(t, m)
		var overflow *personas.OverflowError
		if !errors.As(err, &overflow) || s.count() != 1 || overflow.Detail == "" {
			t.Errorf("%s: %v after %d requests", name, err, s.count())
		}
	}
}

func TestRequestThatTheLibraryRefusesIsNotTriedAgain(t *testing.T) {
	s := serve(t, good)
	m, clock := model(t, s, Options{Model: "gpt-6-astra"})
	_, _, err := m.Turn(t.Context(), nil, []personas.Tool{{Name: "x"}})
	if err == nil || s.count() != 0 || clock.sum() != 0 || !strings.Contains(err.Error(), "refuse") {
		t.Errorf("%v after %d requests and %s", err, s.count(), clock.sum())
	}
}

func TestErrorInAWholeAnswerIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want any
	}{
		"limit":      {`{"error":{"message":"Rate limit exceeded: free-models-per-day","code":429}}`, new(*personas.LimitError)},
		"overflow":   {`{"id":"1","error":{"message":"maximum context length is 8192 tokens","code":400}}` + "\n", new(*personas.OverflowError)},
		"a bare one": {`{"error":"out of order"}`, new(*personas.EndError)},
		"none":       {`{"error":null,"choices":[]}`, new(*personas.EndError)},
	} {
		s := serve(t, body(c.text))
		m, _ := model(t, s, Options{NoStream: true})
		if _, _, err := ask(t, m); !errors.As(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
