//go:build unix

package cmd_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// What each answer of the server counts, in tokens.
const agentInput, agentOutput = 1000, 10

// language is an API of a model, and what the tools of the program that speaks it are called.
type language struct {
	path  string // how the path ends
	speak func(http.ResponseWriter, move, hands)
	hands hands
}

// hands are the tools of a program: the name, and what its arguments are called.
type hands map[work][]string

var languages = []language{
	{"/chat/completions", speakChat, hands{writes: {"write", "filePath", "content"}, shell: {"bash", "command"}}},                           // opencode
	{"/responses", speakResponses, hands{writes: {"exec_command", "cmd"}, shell: {"exec_command", "cmd"}}},                                  // codex
	{"/v1/messages", speakMessages, hands{writes: {"Write", "file_path", "content"}, shell: {"Bash", "command"}}},                           // claude
	{":streamGenerateContent", speakGemini, hands{writes: {"write_file", "file_path", "content"}, shell: {"run_shell_command", "command"}}}, // gemini
}

func languageOf(path string) (language, bool) {
	for _, l := range languages {
		if strings.HasSuffix(path, l.path) {
			return l, true
		}
	}
	return language{}, false
}

// call is a move as a call of the program's tool. A program without a tool that writes does it in its shell.
func (h hands) call(m move) (name string, args object, text string) {
	tool := h[m.tool]
	if m.tool == writes && len(tool) == 2 {
		m.args = [2]string{fmt.Sprintf("mkdir -p \"$(dirname '%s')\" && cat > '%[1]s' <<'THE END'\n%s\nTHE END", m.args[0], m.args[1])}
	}
	args = object{}
	if tool[0] == "bash" || tool[0] == "Bash" {
		args["description"] = "A step of the work"
	}
	for i, arg := range tool[1:] {
		args[arg] = m.args[i]
	}
	data, _ := json.Marshal(args)
	return tool[0], args, string(data)
}

func speakChat(w http.ResponseWriter, m move, h hands) {
	w.Header().Set("Content-Type", "text/event-stream")
	reason := "stop"
	chunk(w, object{"role": "assistant", "content": m.say}, nil)
	if m.say == "" {
		name, _, args := h.call(m)
		chunk(w, called(object{"index": 0, "id": "call_" + rand.Text(), "type": "function", "function": object{"name": name, "arguments": args}}), nil)
		reason = "tool_calls"
	}
	chunk(w, object{}, reason)
	event(w, object{"object": "chat.completion.chunk", "choices": []object{}, "usage": object{
		"prompt_tokens": agentInput, "completion_tokens": agentOutput, "total_tokens": agentInput + agentOutput,
	}})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// named sends an event that carries its type twice, as two of the languages want it.
func named(w http.ResponseWriter, kind string, data object) {
	data["type"] = kind
	fmt.Fprintf(w, "event: %s\n", kind)
	event(w, data)
}

func speakResponses(w http.ResponseWriter, m move, h hands) {
	w.Header().Set("Content-Type", "text/event-stream")
	item := object{"type": "message", "id": "msg_" + rand.Text(), "status": "completed", "role": "assistant", "content": []object{
		{"type": "output_text", "text": m.say, "annotations": []object{}},
	}}
	if m.say == "" {
		name, _, args := h.call(m)
		item = object{"type": "function_call", "id": "fc_" + rand.Text(), "call_id": "call_" + rand.Text(), "name": name, "arguments": args, "status": "completed"}
	}
	named(w, "response.created", object{"response": object{"id": "resp_1", "object": "response", "status": "in_progress", "output": []object{}}})
	named(w, "response.output_item.added", object{"output_index": 0, "item": item})
	named(w, "response.output_item.done", object{"output_index": 0, "item": item})
	named(w, "response.completed", object{"response": object{
		"id": "resp_1", "object": "response", "status": "completed", "output": []object{item}, "usage": object{
			"input_tokens": agentInput, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": agentOutput, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": agentInput + agentOutput,
		},
	}})
}

func speakMessages(w http.ResponseWriter, m move, h hands) {
	w.Header().Set("Content-Type", "text/event-stream")
	usage := object{"input_tokens": agentInput, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": agentOutput}
	block, delta, reason := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": m.say}, "end_turn"
	if m.say == "" {
		name, _, args := h.call(m)
		block = object{"type": "tool_use", "id": "toolu_" + rand.Text(), "name": name, "input": object{}}
		delta, reason = object{"type": "input_json_delta", "partial_json": args}, "tool_use"
	}
	named(w, "message_start", object{"message": object{
		"id": "msg_" + rand.Text(), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": []object{},
		"stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}})
	named(w, "content_block_start", object{"index": 0, "content_block": block})
	named(w, "content_block_delta", object{"index": 0, "delta": delta})
	named(w, "content_block_stop", object{"index": 0})
	named(w, "message_delta", object{"delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage})
	named(w, "message_stop", object{})
}

func speakGemini(w http.ResponseWriter, m move, h hands) {
	w.Header().Set("Content-Type", "text/event-stream")
	part := object{"text": m.say}
	if m.say == "" {
		name, args, _ := h.call(m)
		part = object{"functionCall": object{"name": name, "args": args}}
	}
	event(w, object{
		"candidates":    []object{{"content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": agentInput, "candidatesTokenCount": agentOutput, "totalTokenCount": agentInput + agentOutput},
		"modelVersion":  "m",
	})
}
