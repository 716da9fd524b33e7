package hooks

import "autopilot/autopilot/jsonedit"

// Answer is what a hook hands back to the program that ran it. An empty one lets that program do what it was about to.
type Answer struct {
	Out, Err string // standard output and standard error, each with the end of its last line
	Code     int    // 0; 2 from teammateidle: stay at work
	Do       Effects
}

// Effects are what an answer changes beside the task file.
type Effects struct {
	Count  *Count // the new .harness-stop-counter
	Reset  bool   // .harness-stop-counter goes
	Finish bool   // nothing is left for anybody: .harness-active goes, .harness-reflect comes
}

// Count is the content of .harness-stop-counter: how often the stop hook blocked in a row, and how many tasks were
// completed at the last of these.
type Count struct{ Blocks, Completed int }

// block keeps the agent from stopping, with the reason as its next instruction.
func block(reason string) Answer {
	return Answer{Out: line(struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}{"block", reason})}
}

// tell adds a text to what the agent knows when its session starts. Without the name of the event Claude Code drops it.
func tell(text string) Answer {
	type output struct {
		Context string `json:"additionalContext"`
		Event   string `json:"hookEventName"`
	}
	return Answer{Out: line(struct {
		Output output `json:"hookSpecificOutput"`
	}{output{text, "SessionStart"}})}
}

// line is a value as one line of JSON, with <, > and & as they are.
func line(v any) string { return string(jsonedit.Compact(v)) + "\n" }
