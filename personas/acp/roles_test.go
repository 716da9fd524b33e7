//go:build unix

package acp

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"autopilot/personas/command"
)

const end = `{"stopReason":"end_turn"}`

// roles are what a fake agent does in a turn.
var roles = map[string]func(f *fake, m message){
	"normal": func(f *fake, m message) {
		f.update(`"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"text","text":"I will "}`)
		f.update(`"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"text","text":"begin."}`)
		f.update(`"sessionUpdate":"agent_message_chunk","messageId":"b","content":{"type":"text","text":"Now."}`)
		f.update(`"sessionUpdate":"tool_call","toolCallId":"1","title":"Preparing","kind":"edit","status":"pending","rawInput":{}`)
		f.update(`"sessionUpdate":"tool_call_update","toolCallId":"1","title":"Write","locations":[{"path":"/x/new.txt"}]`)
		f.update(`"sessionUpdate":"tool_call_update","toolCallId":"1","status":"completed"`)
		f.update(`"sessionUpdate":"tool_call","toolCallId":"2","title":"Shell","kind":"execute","rawInput":{"command":["go","test"]}`)
		f.update(`"sessionUpdate":"tool_call_update","toolCallId":"2","status":"failed","content":[{"type":"content","content":{"type":"text","text":"exit 1"}}]`)
		f.update(`"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.25,"currency":"USD"}`)
		f.hand(done)
		f.answer(m, `{"stopReason":"end_turn","usage":{"inputTokens":100,"cachedReadTokens":40,"outputTokens":7,"totalTokens":147}}`)
	},
	"in the text": func(f *fake, m message) {
		f.say("Here:\n```json\n" + done + "\n```\n")
		f.update(`"sessionUpdate":"tool_call","toolCallId":"1","title":"Look","status":"completed"`)
		f.say("That is all.")
		f.answer(m, `{"stopReason":"end_turn","_meta":{"quota":{"token_count":{"input_tokens":5,"output_tokens":2}}}}`)
	},
	"behind words": func(f *fake, m message) {
		f.update(`"sessionUpdate":"tool_call","toolCallId":"1","title":"Write","status":"completed"`)
		f.say("Info: /x/new.txt")
		f.say("```json\n" + done + "\n```")
		f.answer(m, end)
	},
	"behind a call": func(f *fake, m message) {
		f.say("I write {")
		f.update(`"sessionUpdate":"tool_call","toolCallId":"1"`)
		f.say(done)
		f.answer(m, end)
	},
	"counts pieces": func(f *fake, m message) {
		for range 2 {
			f.update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},"_meta":{"usage":{"inputTokens":10,"outputTokens":1,"totalTokens":11}}`)
		}
		f.hand(done)
		f.answer(m, `{"stopReason":"end_turn","usage":{"inputTokens":20,"outputTokens":2,"totalTokens":22}}`)
	},
	"counts late": func(f *fake, m message) {
		f.hand(`{"v":1}`)
		if f.turns == 2 {
			f.hand(done)
		}
		f.answer(m, `{"stopReason":"end_turn","usage":{"inputTokens":20,"outputTokens":2,"totalTokens":22}}`)
		f.update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},"_meta":{"usage":{"inputTokens":10,"outputTokens":1,"totalTokens":11}}`)
	},
	"wrong lines": func(f *fake, m message) {
		for _, line := range []string{
			"starting up", "{", "[]", "null", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":"session/update"}`, `{"jsonrpc":"2.0","method":"_own/thing","params":{}}`,
			`{"jsonrpc":"2.0","id":77,"result":{}}`, `{"jsonrpc":"2.0","id":{"a":1},"result":{}}`, "\xff\xfe", `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"novel","content":7}}}`,
			`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","locations":"none","rawInput":[1]}}}`,
		} {
			f.write(line)
		}
		fmt.Fprintln(os.Stderr, "a word on standard error")
		f.update("\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"odd \xff byte\"}")
		f.hand(done)
		f.answer(m, end)
	},
	"huge": func(f *fake, m message) {
		f.say(strings.Repeat("x", command.LongestLine+1))
		f.say(strings.Repeat("y", 1<<20))
		for range 2000 {
			f.say("z")
		}
		f.hand(done)
		f.answer(m, end)
	},
	"dies": func(f *fake, m message) {
		f.hand(done)
		fmt.Fprintln(os.Stderr, "panic: lost it")
		os.Exit(3)
	},
	"leaves": func(f *fake, m message) { os.Exit(0) },
	"hangs":  func(f *fake, m message) { f.say("Hm.") },
	"deaf":   func(f *fake, m message) { f.say("ready") },
	"says it was stopped": func(f *fake, m message) {
		told := make(chan os.Signal, 1)
		signal.Notify(told, syscall.SIGTERM)
		<-told
		f.answer(m, `{"stopReason":"cancelled"}`)
		os.Exit(0)
	},
	"heeds": func(f *fake, m message) {
		f.say("ready")
		<-f.stop
		f.note("stopped")
		f.answer(m, `{"stopReason":"cancelled"}`)
	},
	"orphan": func(f *fake, m message) {
		orphan()
		f.hand(done)
		f.answer(m, end)
	},
	"stays":        func(f *fake, m message) { f.hand(done); f.answer(m, end) },
	"says nothing": func(f *fake, m message) { f.answer(m, end) },
	"cut short":    func(f *fake, m message) { f.say("And then"); f.answer(m, `{"stopReason":"max_tokens"}`) },
	"refuses":      func(f *fake, m message) { f.answer(m, `{"stopReason":"refusal"}`) },
	"too many":     func(f *fake, m message) { f.answer(m, `{"stopReason":"max_turn_requests"}`) },
	"cancelled":    func(f *fake, m message) { f.answer(m, `{"stopReason":"cancelled"}`) },
	"limit by code": func(f *fake, m message) {
		f.fail(m, 429, `"message":"You exceeded your current quota"`)
	},
	"limit in data": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"Internal error","data":{"details":"429 Too Many Requests: rate limit reached, retry after 60 seconds"}`)
	},
	"limit by kind": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"Internal error: API Error: Request rejected (429)","data":{"errorKind":"rate_limit"}`)
	},
	"limit in codex": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"try later","data":{"message":"try later","codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}}}`)
	},
	"outage by kind": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"Internal error: the server had trouble","data":{"errorKind":"server_error"}`)
	},
	"outage in words": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"Internal error","data":{"details":"Connection error. (cause: connect ECONNREFUSED 127.0.0.1:1)"}`)
	},
	"outage as text": func(f *fake, m message) {
		f.update(`"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"Reconnecting... 5/5","additionalDetails":"some trouble","willRetry":true}}}`)
		f.say("We’re currently experiencing high demand, which may cause temporary errors.\n\n")
		f.answer(m, end)
	},
	"outage while it tries": func(f *fake, m message) {
		f.update(`"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"Reconnecting... 1/5","additionalDetails":"some trouble","willRetry":true}}}`)
	},
	"auth in words": func(f *fake, m message) {
		f.fail(m, -32603, `"message":"Internal error","data":{"details":"401 mock fault"}`)
	},
	"limit as text": func(f *fake, m message) {
		f.say("You've hit your limit · resets 3pm (UTC)")
		f.answer(m, end)
	},
	"limit while it tries": func(f *fake, m message) {
		f.update(`"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"Reconnecting... 1/5","additionalDetails":"exceeded retry limit, last status: 429 Too Many Requests","willRetry":true}}}`)
	},
	"auth": func(f *fake, m message) {
		f.fail(m, -32000, `"message":"Authentication required"`)
	},
	"auth by code": func(f *fake, m message) {
		f.fail(m, 401, `"message":"{\"error\":{\"code\":401,\"message\":\"API key not valid\"}}"`)
	},
	"error":   func(f *fake, m message) { f.fail(m, -32603, `"message":"Internal error","data":"the disk is full"`) },
	"mends":   mends(false),
	"goes":    mends(true),
	"lost":    mends(true),
	"forgets": mends(true),
	"gives up": func(f *fake, m message) {
		if strings.Contains(m.Params.Prompt[0].Text, "was denied") {
			f.hand(done)
		} else {
			f.ask(`{"toolCallId":"1","kind":"edit"}`, `[{"kind":"reject_once","optionId":"no"}]`)
		}
		f.answer(m, end)
	},
	"gives up in words": func(f *fake, m message) {
		if strings.Contains(m.Params.Prompt[0].Text, "was denied") {
			f.say("```json\n" + done + "\n```")
		} else {
			f.ask(`{"toolCallId":"1","kind":"edit"}`, `[{"kind":"reject_once","optionId":"no"}]`)
			f.say("Info: Operation cancelled by user")
		}
		f.answer(m, end)
	},
	"takes a denial": func(f *fake, m message) {
		f.ask(`{"toolCallId":"1","kind":"edit"}`, `[{"kind":"reject_once","optionId":"no"}]`)
		f.say("Then without it.\n```json\n" + done + "\n```")
		f.answer(m, end)
	},
	"gives up always": func(f *fake, m message) {
		f.ask(`{"toolCallId":"1","kind":"edit"}`, `[{"kind":"reject_once","optionId":"no"}]`)
		f.answer(m, end)
	},
	"never mends": func(f *fake, m message) {
		f.hand(`{"v":1}`)
		f.answer(m, end)
	},
}

// mends hands in a reply that is not valid, and a valid one when it is asked for it. In between it may end.
func mends(ends bool) func(*fake, message) {
	return func(f *fake, m message) {
		if strings.Contains(m.Params.Prompt[0].Text, "could not be taken") {
			f.hand(done)
			f.answer(m, end)
			return
		}
		f.hand(`{"v":1,"status":"done"}`)
		f.update(`"sessionUpdate":"usage_update","cost":{"amount":0.5,"currency":"USD"}`)
		f.over.Store(ends)
		f.answer(m, end)
		if ends {
			os.Exit(0)
		}
	}
}

func (f *fake) turn(m message) {
	if question, ok := strings.CutPrefix(f.role, "asks "); ok {
		call, options, _ := strings.Cut(question, " | ")
		f.note("answered " + f.ask(call, options))
		f.hand(done)
		f.answer(m, end)
		return
	}
	roles[f.role](f, m)
}
