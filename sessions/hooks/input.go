package hooks

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"
)

// MaxInput is how much of its standard input a hook reads, in bytes. What an agent program hands over is small but for
// the agent's last message, which no hook needs.
const MaxInput = 4 << 20

// InputLimit is how long a hook waits for its standard input: one that is handed nothing, and never closed, would keep
// the agent program waiting.
const InputLimit = time.Second

// Input is what a hook takes from its standard input; what is missing or has another type is empty.
type Input struct {
	SessionID      string
	TranscriptPath string
	Cwd            string
	TeammateName   string
	AgentID        string
	TaskID         string
	Again          bool // stop_hook_active: the agent goes on because a stop hook blocked before
}

// ReadInput reads the JSON object on a hook's standard input, to its last bracket: what comes after it is not waited for.
// It takes what it can: an object that is broken, cut off or not there in full after InputLimit counts as far as it goes,
// and anything else is an empty input.
func ReadInput(r io.Reader) Input {
	var in Input
	timely := newTimelyReader(r, InputLimit)
	defer timely.stop()
	texts := map[string]*string{
		"transcript_path": &in.TranscriptPath, "cwd": &in.Cwd, "session_id": &in.SessionID,
		"teammate_name": &in.TeammateName, "agent_id": &in.AgentID, "task_id": &in.TaskID,
	}
	dec := json.NewDecoder(io.LimitReader(timely, MaxInput))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return in
	}
	for dec.More() {
		key, err := dec.Token()
		name, isText := key.(string)
		var value json.RawMessage
		if err != nil || !isText || dec.Decode(&value) != nil {
			return in
		}
		if field := texts[name]; field != nil {
			*field = text(value, strings.HasSuffix(name, "_id"))
		} else if name == "stop_hook_active" {
			in.Again = truthy(value)
		}
	}
	return in
}

// text is what a string holds, or where an id is meant, the digits of a number; "" for anything else.
func text(value json.RawMessage, isID bool) string {
	var s string
	var n json.Number
	if json.Unmarshal(value, &s) == nil {
		return strings.TrimSpace(s)
	}
	if isID && json.Unmarshal(value, &n) == nil {
		return n.String()
	}
	return ""
}

// truthy says whether a value that should be true or false means yes, as scripting languages see it.
func truthy(value json.RawMessage) bool {
	switch s := string(bytes.TrimSpace(value)); s {
	case "false", "null", "0", `""`, `"false"`, `"0"`, "[]", "{}":
		return false
	default:
		return s != ""
	}
}
