package machine

import "fmt"

// The kinds of checkpoints.
const (
	CheckpointDecision = "decision"
	CheckpointVerify   = "human-verify"
	CheckpointAction   = "human-action"
)

// Checkpoint is a gate that a plan asks for.
type Checkpoint struct {
	Task    string   `json:"task"` // id
	Kind    string   `json:"kind"` // decision, human-verify, human-action
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
	Passed  bool     `json:"passed"`
	Answer  string   `json:"answer,omitempty"`
}

// String is the checkpoint in a line: whose it is, its kind, what it asks, and the choices that a decision has.
func (c Checkpoint) String() string {
	line := c.Task + " stops for you (" + c.Kind + "): " + c.Text
	for i, choice := range c.Options {
		line += fmt.Sprintf(" [%d] %s", i+1, choice)
	}
	return line
}
