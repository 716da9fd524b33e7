package limits

import (
	"testing"
	"time"
)

func TestTroubleIsToldApart(t *testing.T) {
	for name, c := range map[string]struct {
		trouble Trouble
		cause   Cause
		until   time.Time
	}{
		"nothing is known":                    {Trouble{}, Crash, never},
		"a bad request":                       {Trouble{Status: 400, Text: "Bad Request"}, Crash, never},
		"a model that is not there":           {Trouble{Status: 404, Text: "not found"}, Crash, never},
		"refused":                             {Trouble{Status: 401}, KeyRefused, never},
		"forbidden":                           {Trouble{Status: 403, Text: "no access"}, KeyRefused, never},
		"forbidden, for a quota":              {Trouble{Status: 403, Body: `{"error":{"message":"Key limit exceeded (total limit)","code":403}}`}, LimitUsedUp, never},
		"a refused key with Retry-After":      {Trouble{Status: 401, Wait: time.Minute}, KeyRefused, never},
		"a key behind another status":         {Trouble{Status: 400, Body: `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}`}, KeyRefused, never},
		"no balance":                          {Trouble{Status: 402}, LimitUsedUp, never},
		"too many":                            {Trouble{Status: 429, Wait: time.Minute}, LimitPassing, in("1m")},
		"too many, and until when":            {Trouble{Status: 429, Text: "Rate limit exceeded. Try again in 3 hours.", Wait: time.Minute}, LimitPassing, in("3h")},
		"too many, for an overload":           {Trouble{Status: 429, Body: `{"error":{"type":"engine_overloaded_error","message":"busy"}}`}, OutOfOrder, never},
		"out of order":                        {Trouble{Status: 500, Text: "mock fault"}, OutOfOrder, never},
		"out of order, and until when":        {Trouble{Status: 503, Wait: time.Hour}, OutOfOrder, in("1h")},
		"overloaded":                          {Trouble{Status: 529}, OutOfOrder, never},
		"a limit behind 500":                  {Trouble{Status: 500, Text: "Rate limit exceeded, please try again later"}, LimitPassing, never},
		"no connection":                       {Trouble{Lost: true, Text: "unknown"}, OutOfOrder, never},
		"an answer that was cut":              {Trouble{Status: 200, Lost: true, Text: "the answer was cut off"}, OutOfOrder, never},
		"an overload within an answer":        {Trouble{Status: 200, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, OutOfOrder, never},
		"no connection, after a bad request":  {Trouble{Lost: true, Status: 400}, Crash, never},
		"claude, 500":                         {Trouble{Text: "API Error: 500 mock fault. This is a server-side issue, usually temporary"}, OutOfOrder, never},
		"claude, nobody listens":              {Trouble{Text: "API Error: Connection refused — a firewall or proxy may be in the way (ECONNREFUSED)"}, OutOfOrder, never},
		"claude, an error of the server":      {Trouble{Text: `API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}`}, OutOfOrder, never},
		"claude, logged out":                  {Trouble{Text: "Invalid API key · Please run /login"}, KeyRefused, never},
		"codex, 500":                          {Trouble{Text: "We’re currently experiencing high demand, which may cause temporary errors."}, OutOfOrder, never},
		"codex, 503":                          {Trouble{Text: "unexpected status 503 Service Unavailable: x, url: http://127.0.0.1/v1/responses"}, OutOfOrder, never},
		"codex, 400":                          {Trouble{Text: "unexpected status 400 Bad Request: connection error"}, Crash, never},
		"codex, cut":                          {Trouble{Text: "stream disconnected before completion: Transport error: network error: error decoding response body"}, OutOfOrder, never},
		"codex, nobody listens":               {Trouble{Text: "Connection failed: error sending request"}, OutOfOrder, never},
		"gemini, cut":                         {Trouble{Text: "[API Error: terminated]"}, OutOfOrder, never},
		"gemini, nobody listens":              {Trouble{Text: "[API Error: exception TypeError: fetch failed sending request]"}, OutOfOrder, never},
		"gemini, 401":                         {Trouble{Text: `[API Error: {"error":{"code":401,"message":"mock fault","status":"INTERNAL"}}]`}, KeyRefused, never},
		"qwen, 500":                           {Trouble{Text: "[API Error: 500 mock fault]"}, OutOfOrder, never},
		"qwen, 401 by the protocol":           {Trouble{Text: "401 mock fault\nInternal error"}, KeyRefused, never},
		"qwen, nobody listens":                {Trouble{Text: "[API Error: Connection error. (cause: connect ECONNREFUSED 127.0.0.1:4010)]"}, OutOfOrder, never},
		"copilot, logged out":                 {Trouble{Text: "Error: No authentication information found.\n\nIt can be authenticated with:\n  a token\n  a login\n  a key"}, KeyRefused, never},
		"a script, 401":                       {Trouble{Text: "working\nError: 401 Unauthorized", Agent: true}, KeyRefused, never},
		"a script, please log in":             {Trouble{Text: "Please log in first.", Agent: true}, KeyRefused, never},
		"a script, a key that is not there":   {Trouble{Text: "error: missing API key", Agent: true}, KeyRefused, never},
		"a script, its server's error":        {Trouble{Text: `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`, Agent: true}, KeyRefused, never},
		"a script, 502":                       {Trouble{Text: "HTTP 502 Bad Gateway", Agent: true}, OutOfOrder, never},
		"a script, 503 in words":              {Trouble{Text: "curl failed\nError: 503 Service Unavailable", Agent: true}, OutOfOrder, never},
		"a script, nobody listens":            {Trouble{Text: "Error: connect ECONNREFUSED 127.0.0.1:4290", Agent: true}, OutOfOrder, never},
		"a script, a name":                    {Trouble{Text: "Error: getaddrinfo ENOTFOUND api.example.org", Agent: true}, OutOfOrder, never},
		"a script, curl":                      {Trouble{Text: "curl: (6) Could not resolve host: api.example.org", Agent: true}, OutOfOrder, never},
		"a script in Go":                      {Trouble{Text: "dial tcp 127.0.0.1:1: connect: connection refused", Agent: true}, OutOfOrder, never},
		"an agent, a status as JSON":          {Trouble{Text: `The answer is {"code": 500}`, Agent: true}, Crash, never},
		"an agent, a key far above":           {Trouble{Text: "Invalid API key\nThen\nI went\non.", Agent: true}, Crash, never},
		"a program, a word on status as JSON": {Trouble{Text: `it failed: {"code": 500}`}, OutOfOrder, never},
	} {
		if got := Judge(c.trouble, limitNow); got != (Verdict{c.cause, c.until}) {
			t.Errorf("%s: %+v, want %q until %s", name, got, c.cause, c.until)
		}
	}
}

// TestTalkAboutTroubleIsNone: an agent's last words may be about servers and keys.
func TestTalkAboutTroubleIsNone(t *testing.T) {
	for _, text := range []string{
		"Done: the client asks again after 500 Internal Server Error.",
		"The server returns 503 Service Unavailable while it starts.",
		"500 Internal Server Error is returned when the store is closed.",
		"Unauthorized requests are refused now.",
		"401 Unauthorized is returned for a wrong key.",
		"Invalid API keys are refused at startup.",
		"Connection errors are retried.",
		"Internal server errors carry an id.",
		"500 files were changed.",
		"401 lines were removed",
		"FAIL: expected status 200, got 500",
		"    server_test.go:12: got status 500, want 200",
		"AssertionError: 401 != 200",
		"- ECONNREFUSED is handled",
		"The process was terminated.",
		"Terminated the loop after ten turns.",
		"Please log into the page to see it.",
		"Not logged in users see the front page.",
		"Bad gateways are skipped.",
		"Authentication required pages redirect to /login.",
		"Fetch failed jobs are shown in red.",
		`{"v":1,"status":"failed","summary":"the tests fail with 500 Internal Server Error"}`,
		"status: 3 of 5 tasks are done",
	} {
		if got := Judge(Trouble{Text: text, Agent: true}, limitNow); got.Cause != Crash {
			t.Errorf("%q was taken for %+v", text, got)
		}
	}
}
