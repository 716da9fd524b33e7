//go:build unix

package command

import (
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

// fence is a reply as the last message of an agent holds it, as JSON text.
const fence = "All is well.\\n\\n```json\\n{\\\"v\\\":1,\\\"status\\\":\\\"done\\\",\\\"summary\\\":\\\"Did it.\\\"}\\n```"

// playedEvents are runs of each program, written after what the real ones print.
var playedEvents = map[string]string{
	"claude": `{"type":"system","subtype":"init","session_id":"s-1","tools":["Bash"],"model":"some-model"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look around."}],"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}},"session_id":"s-1"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash","input":{"command":"ls\n-l"}}],"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}},"session_id":"s-1"}
{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":[{"type":"text","text":"no such folder"}]}]}}
{"type":"system","subtype":"api_retry","attempt":1,"error_status":429,"error":"rate_limit"}
{"type":"assistant","parent_tool_use_id":"t1","message":{"id":"x1","content":[{"type":"text","text":"of an agent of its own"}],"usage":{"input_tokens":7}}}
{"type":"assistant","message":{"id":"m2","content":[{"type":"text","text":"` + fence + `"}],"usage":{"input_tokens":20,"output_tokens":1}}}
{"duration_ms":3,"is_error":false,"usage":{"input_tokens":30,"cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":9},"total_cost_usd":0.25,"result":"` + fence + `","subtype":"success","session_id":"s-1","type":"result"}
`,
	"codex": `{"type":"thread.started","thread_id":"s-1"}
{"type":"item.completed","item":{"id":"i0","type":"error","message":"a mere warning"}}
{"type":"turn.started"}
{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)"}
{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"I look around."}}
{"type":"item.started","item":{"id":"i2","type":"command_execution","command":"ls\n-l"}}
{"type":"item.completed","item":{"id":"i2","type":"command_execution","command":"ls","aggregated_output":"a\nno such folder\n","exit_code":2}}
{"type":"item.completed","item":{"id":"i3","type":"file_change","changes":[{"path":"a.txt","kind":"add"}]}}
{"type":"item.completed","item":{"id":"i4","type":"agent_message","text":"` + fence + `"}}
{"type":"turn.completed","usage":{"input_tokens":39,"cached_input_tokens":5,"output_tokens":9,"reasoning_output_tokens":3}}
`,
	"opencode": `{"type":"step_start","sessionID":"s-1","part":{}}
{"type":"text","sessionID":"s-1","part":{"text":"I look around."}}
{"type":"tool_use","sessionID":"s-1","part":{"tool":"bash","state":{"status":"error","input":{"command":"ls\n-l"},"error":"no such folder"}}}
{"type":"step_finish","sessionID":"s-1","part":{"reason":"tool-calls","tokens":{"input":10,"output":2,"reasoning":1,"cache":{"read":5,"write":4}},"cost":0.125}}
{"type":"step_start","sessionID":"s-1","part":{}}
{"type":"text","sessionID":"s-1","part":{"text":"` + fence + `"}}
{"type":"step_finish","sessionID":"s-1","part":{"reason":"stop","tokens":{"input":20,"output":6,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0.125}}
`,
	"gemini": `Attempt 1 failed with status 429. Retrying with backoff...
{"type":"init","session_id":"s-1","model":"some-model"}
{"type":"message","role":"user","content":"the prompt"}
{"type":"message","role":"assistant","content":"I look ","delta":true}
{"type":"message","role":"assistant","content":"around.","delta":true}
{"type":"tool_use","tool_name":"shell","tool_id":"t1","parameters":{"command":"ls\n-l"}}
{"type":"tool_result","tool_id":"t1","status":"error","error":{"message":"no such folder"}}
{"type":"message","role":"assistant","content":"All is well.\n\n` + "```" + `json\n{\"v\":1,\"status\":\"done\",","delta":true}
{"type":"message","role":"assistant","content":"\"summary\":\"Did it.\"}\n` + "```" + `","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":48,"input_tokens":39,"output_tokens":9,"cached":5}}
`,
	"qwen": `{"type":"system","subtype":"init","session_id":"s-1","permission_mode":"yolo"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look around."}],"usage":{"input_tokens":15,"cache_read_input_tokens":5,"output_tokens":2,"total_tokens":17}}}
{"type":"assistant","message":{"id":"m2","content":[{"type":"tool_use","name":"shell","input":{"command":"ls\n-l"}}],"usage":{"input_tokens":4,"output_tokens":2,"total_tokens":6}}}
{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"no such folder"}]}}
{"type":"assistant","message":{"id":"m3","content":[{"type":"text","text":"` + fence + `"}],"usage":{"input_tokens":20,"output_tokens":5,"total_tokens":25}}}
{"type":"result","subtype":"success","is_error":false,"result":"` + fence + `","usage":{"input_tokens":39,"cache_read_input_tokens":5,"output_tokens":9,"total_tokens":48}}
`,
}

func TestEventsOfEachProgramAreUnderstood(t *testing.T) {
	for preset, events := range playedEvents {
		for _, piece := range []int{1, 7, len(events)} {
			t.Run(preset, func(t *testing.T) {
				var told []string
				var used personas.Usage
				p, _ := PresetOf(preset)
				s := newStream(p.dialect, personas.Dispatch{OnEvent: func(kind, text string) { told = append(told, kind+" "+text) }}, func(u personas.Usage) { used = used.Add(u) })
				for part := range slices.Chunk([]byte(events), piece) {
					_, _ = s.Write(part)
				}
				s.finish()
				if !strings.Contains(s.message.String(), `"summary":"Did it."`) || s.session != "s-1" || !s.ended || s.broken() || s.retry != nil {
					t.Errorf("session %q, ended %v, failure %v, retry %v, message %q", s.session, s.ended, s.failure, s.retry, s.message.String())
				}
				if s.metrics.ToolCalls < 1 || s.metrics.ToolFailures != 1 {
					t.Errorf("its calls are %+v", s.metrics)
				}
				if used.InputTokens != 39 || used.CachedTokens != 5 || used.OutputTokens != 9 {
					t.Errorf("it used %+v", used)
				}
				if wantsCost := preset == "claude" || preset == "opencode"; wantsCost && used.CostUSD != 0.25 {
					t.Errorf("it cost %g", used.CostUSD)
				}
				all := "\n" + strings.Join(told, "\n")
				for _, want := range []string{"\ntext I look around.\n", " ls -l\n", "\nresult failed: no such folder\n", "\ntext All is well. ```json"} {
					if !strings.Contains(all+"\n", want) {
						t.Errorf("%q was not told:%s", want, all)
					}
				}
			})
		}
	}
}

// TestToolThatOpencodeDeniesIsAFailedCall: opencode answers such a call by a tool of its own, as if all went well.
func TestToolThatOpencodeDeniesIsAFailedCall(t *testing.T) {
	var told []string
	s := newStream(opencode.dialect, personas.Dispatch{OnEvent: func(kind, text string) { told = append(told, kind+" "+text) }}, nil)
	_, _ = s.Write([]byte(`{"type":"tool_use","part":{"tool":"invalid","state":{"status":"completed",` +
		`"input":{"tool":"write","error":"Model tried to call unavailable tool 'write'."},"output":"…"}}}` + "\n"))
	if s.finish(); s.metrics.ToolFailures != 1 {
		t.Errorf("its calls are %+v", s.metrics)
	}
	if want := []string{"tool write", "result failed: Model tried to call unavailable tool 'write'."}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestReplyOfTheLastMessageIsTaken(t *testing.T) {
	for preset, events := range playedEvents {
		out, _ := judged(t, preset, "some noise\n"+events, process.Result{})
		wantKind(t, out, personas.GotReply)
		if out.Reply.Summary != "Did it." {
			t.Errorf("%s: the reply is %+v", preset, out.Reply)
		}
		out, _ = judged(t, preset, events, process.Result{ExitCode: 1})
		wantKind(t, out, personas.Crashed, "although its reply says done")
	}
}

func TestWhatEndedTheWorkDecides(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		preset, events string
		code           int
		kind           personas.OutcomeKind
		until          time.Time
		detail         string
	}{
		"claude, error in a success": {
			"claude", `{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"Invalid API key"}`, 0,
			personas.Auth,
			time.Time{},
			"status 401: Invalid API key",
		},
		"claude, logged out":     {"claude", `{"type":"result","is_error":true,"result":"Invalid API key · Please run /login"}`, 1, personas.Auth, time.Time{}, "Please run"},
		"claude, usage limit":    {"claude", `{"type":"result","is_error":true,"result":"Claude AI usage limit reached|1795273200"}`, 1, personas.RateLimited, time.Unix(1795273200, 0), ""},
		"claude, too busy":       {"claude", `{"type":"result","is_error":true,"api_error_status":529,"result":"Overloaded"}`, 1, personas.RateLimited, noon.Add(time.Minute), ""},
		"claude, turns used up":  {"claude", `{"type":"result","subtype":"error_max_turns","is_error":false}`, 0, personas.Crashed, time.Time{}, "error max turns"},
		"claude, nothing at all": {"claude", "--dangerously-skip-permissions cannot be used with root/sudo privileges", 1, personas.Crashed, time.Time{}, "cannot be used with root"},
		"claude, talks of limits": {
			"claude", `{"type":"result","is_error":false,"result":"You've hit your usage limit is what the new test prints."}`, 0,
			personas.NoReply,
			time.Time{},
			"what the new test prints",
		},
		"codex, usage limit": {
			"codex", `{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 2 hours."}}`, 1,
			personas.RateLimited, noon.Add(2 * time.Hour), "usage limit",
		},
		"codex, 429 that stays": {
			"codex", `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`, 1,
			personas.RateLimited,
			time.Time{},
			"429",
		},
		"codex, killed at a 401": {"codex", `{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized)"}`, -1, personas.Auth, time.Time{}, "401"},
		"codex, middle of it":    {"codex", `{"type":"turn.started"}`, 0, personas.NoReply, time.Time{}, "in the middle of its work"},
		"opencode, Retry-After": {
			"opencode", `{"type":"error","error":{"name":"APIError","data":{"message":"slow down","statusCode":429,"responseHeaders":{"Retry-After":"90"}}}}`, 1,
			personas.RateLimited, noon.Add(90 * time.Second), "status 429: slow down",
		},
		"opencode, no message": {"opencode", `{"type":"error","error":{"name":"UnknownError","data":{}}}`, 1, personas.Crashed, time.Time{}, "UnknownError"},
		"gemini, 429 in JSON": {
			"gemini", `{"type":"result","status":"error","error":{"message":"[API Error: {\"error\":{\"code\":429,\"message\":\"Quota exceeded\"}}]"}}`, 173,
			personas.RateLimited,
			time.Time{},
			"Quota exceeded",
		},
		"gemini, logged out": {"gemini", "Warning: few colours\nInvalid auth method selected.", 41, personas.Auth, time.Time{}, "Invalid auth"},
		"gemini, trying for ever": {
			"gemini", "Attempt 3 failed with status 429. Retrying with backoff... _ApiError: {}", -1, personas.RateLimited, time.Time{}, "429",
		},
		"qwen, forbidden": {
			"qwen", `{"type":"result","subtype":"error_during_execution","is_error":true,"error":{"message":"[API Error: 403 no access]"}}`, 1,
			personas.Auth,
			time.Time{},
			"403",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := judged(t, c.preset, c.events, process.Result{ExitCode: c.code})
			wantKind(t, out, c.kind, c.detail)
			if !out.Until.Equal(c.until) {
				t.Errorf("until %s, want %s", out.Until, c.until)
			}
		})
	}
}

func TestLimitOfAnUnknownProgramIsItsLastLine(t *testing.T) {
	b := New(Options{
		Argv: []string{"sh", "-c", `echo "working"; echo "Claude AI usage limit reached|1795273200"; exit 1`},
		Now:  func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
	})
	out := play(t, b, world(t))
	wantKind(t, out, personas.RateLimited, "usage limit")
	if out.Until.Unix() != 1795273200 {
		t.Errorf("until %s", out.Until)
	}
	wantKind(t, play(t, sh(`echo "Claude AI usage limit reached|1795273200"; echo; echo "--- FAIL: TestLimits"; echo FAIL; exit 1`), world(t)), personas.Crashed)
	wantKind(t, play(t, sh(`echo working; echo "rate limit: retry after 3 seconds" >&2; exit 1`), world(t)), personas.RateLimited, "retry after 3 seconds")
	wantKind(t, play(t, sh(`echo '`+done+`' > "$AUTOPILOT_REPLY"; echo "rate limit: retry after 3 seconds" >&2`), world(t)), personas.GotReply)
}

func TestStepsAreHeardWhereverAMessageReportsThem(t *testing.T) {
	var steps []string
	s := newStream(claude.dialect, personas.Dispatch{OnStep: func(line string) { steps = append(steps, line) }}, nil)
	s.say("The routes are written.\n\n  CHECKPOINT step=1/3 \"routes\"\n"+strings.Repeat("Words. ", maxLine), false)
	s.say("It is CHECKPOINT step=9/9 in a sentence.", false)
	s.told = 2 * maxTold
	s.say("\nCHECKPOINT st", true)
	s.say("ep=2/3 tests\nCHECKPOINT step=3/3 "+strings.Repeat("x", 9000), true)
	s.finish()
	if len(steps) != 3 || steps[0] != `CHECKPOINT step=1/3 "routes"` || steps[1] != "CHECKPOINT step=2/3 tests" || len(steps[2]) > 2000 {
		t.Errorf("heard %.300q", steps)
	}
}

func TestLongLinesAndManyEventsTakeNoMemory(t *testing.T) {
	told := 0
	s := newStream(codex.dialect, personas.Dispatch{OnEvent: func(string, string) { told++ }}, nil)
	piece := []byte(strings.Repeat("x", 1<<20))
	_, _ = s.Write([]byte(`{"type":"item.completed","item":{"type":"agent_message","text":"`))
	for range 40 {
		_, _ = s.Write(piece)
	}
	if cap(s.buf) > 3*LongestLine {
		t.Errorf("%d bytes are held", cap(s.buf))
	}
	_, _ = s.Write([]byte("\"}}\n"))
	for range 2 * maxTold {
		_, _ = s.Write([]byte(`{"type":"item.completed","item":{"type":"agent_message","text":"still here"}}` + "\n"))
	}
	if s.message.String() != "still here" || told != maxTold+1 || cap(s.buf) > LongestLine {
		t.Errorf("the message is %.20q, %d were told, %d bytes are held", s.message.String(), told, cap(s.buf))
	}
}

func FuzzEventsNeverPanic(f *testing.F) {
	for _, events := range playedEvents {
		f.Add([]byte(events))
	}
	f.Add([]byte("[1,{\"type\":\"result\",\"usage\":[]}]\n{\"type\":7}\nnoise{\"type\":\"error\",\"error\":\"x\"}\n{\"type\":\"assistant\",\"message\":{\"content\":\"text\"}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range presets {
			var used personas.Usage
			s := newStream(p.dialect, personas.Dispatch{OnEvent: func(kind, text string) {
				if len(text) > maxLine+len("…") || strings.Contains(text, "\n") {
					t.Errorf("%s was told %q", kind, text)
				}
			}}, func(u personas.Usage) {
				if min(u.InputTokens, u.CachedTokens, u.OutputTokens) < 0 || u.CostUSD < 0 {
					t.Errorf("%+v was given back", u)
				}
				used = used.Add(u)
			})
			for part := range slices.Chunk(data, 100) {
				_, _ = s.Write(part)
			}
			s.finish()
			_ = s.lastWords() + s.midway()
			if used != s.used || min(used.InputTokens, used.CachedTokens, used.OutputTokens) < 0 {
				t.Errorf("%+v was handed on of %+v", used, s.used)
			}
		}
	})
}
