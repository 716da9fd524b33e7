package agent

import (
	"encoding/json"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// auditLine is a line of audit.jsonl: one tool call.
type auditLine struct {
	Time      string        `json:"time,omitempty"`
	Turn      int           `json:"turn"`
	Tool      string        `json:"tool"`
	Tier      personas.Tier `json:"tier,omitempty"` // none: there is no such tool
	Arguments string        `json:"arguments"`      // shortened
	Outcome   string        `json:"outcome"`        // ok, or the beginning of the error
	Millis    int64         `json:"ms"`
}

// audit notes a call, secrets masked.
func (r *record) audit(began time.Time, call personas.Call, t personas.Tier, err error) {
	if r.calls == nil {
		return
	}
	line := auditLine{Turn: r.turn, Tool: toolbox.Cut(r.mask, r.mask.Replace(call.Name), 100), Tier: t, Arguments: toolbox.Cut(r.mask, r.mask.Replace(call.Arguments), 200), Outcome: "ok"}
	if err != nil {
		line.Outcome = toolbox.Cut(r.mask, r.mask.Replace("error: "+err.Error()), 200)
	}
	if r.now != nil {
		line.Time, line.Millis = began.UTC().Format(time.RFC3339), r.now().Sub(began).Milliseconds()
	}
	text, err := json.Marshal(line)
	r.note(err)
	_, err = r.calls.Write(append(text, '\n'))
	r.note(err)
}
