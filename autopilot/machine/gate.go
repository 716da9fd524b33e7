package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// GateKind is a kind of question to a human.
type GateKind string

// The kinds of gates.
const (
	GateSpecChanged     GateKind = "spec_changed"
	GatePlanWanted      GateKind = "plan_wanted"
	GateApproveSkeleton GateKind = "approve_skeleton"
	GateApprovePlan     GateKind = "approve_plan"
	GateNoOutput        GateKind = "no_output"
	GateBlocked         GateKind = "blocked"
	GateCheckpoint      GateKind = "checkpoint"
	GateTasksExhausted  GateKind = "tasks_exhausted"
	GateAlreadyDone     GateKind = "already_done"
	GateLargeChange     GateKind = "large_change"
	GateDirtyOverlap    GateKind = "dirty_overlap"
	GateVerifyFailed    GateKind = "verify_failed"
	GateBaselineRed     GateKind = "baseline_red"
	GateReviewBlocking  GateKind = "review_blocking"
	GateFinalBlocking   GateKind = "final_blocking"
	GateEffectUnclear   GateKind = "effect_unclear"
	GateContinue        GateKind = "continue"
	GatePause           GateKind = "pause"
)

// Option is one answer that a gate takes.
type Option struct {
	Name        string `json:"name"`
	Effect      string `json:"effect"` // an edge of the state table, or what happens inside the state
	WantsReason bool   `json:"wantsReason,omitempty"`
	TakesReason bool   `json:"takesReason,omitempty"` // one helps, and need not be given
	Label       string `json:"label,omitempty"`       // what the option means, for people
}

// Gate is an open question to a human. One is open at a time.
type Gate struct {
	ID       string    `json:"id"` // "g" and the revision at which it opened
	Kind     GateKind  `json:"kind"`
	State    Name      `json:"state"`
	Phase    int       `json:"phase"` // 0-based
	Question string    `json:"question"`
	Options  []Option  `json:"options"`
	Context  []string  `json:"context,omitempty"` // lines that help to decide
	Refused  []Refusal `json:"refused,omitempty"` // options that are gone, with the reason
	Task     string    `json:"task,omitempty"`
	Free     bool      `json:"free,omitempty"` // any text is an answer, with a reason
	AskedAt  time.Time `json:"askedAt"`
	YourTurn *YourTurn `json:"yourTurn,omitempty"` // a person is to do the work of a dispatch
}

// Shown is the gate as --json prints it: there the first phase is 1.
func (g Gate) Shown() Gate {
	g.Phase++
	return g
}

// Refusal names an option that this gate usually has and does not have now.
type Refusal struct {
	Option string `json:"option"`
	Why    string `json:"why"`
}

// Option finds an option by name.
func (g *Gate) Option(name string) (Option, bool) {
	i := slices.IndexFunc(g.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return g.Options[i], true
}

// IsRefused says whether the gate usually has this option and does not have it now.
func (g *Gate) IsRefused(name string) bool {
	return slices.ContainsFunc(g.Refused, func(r Refusal) bool { return r.Option == name })
}

// Names lists the names of the gate's options.
func (g *Gate) Names() []string {
	names := make([]string, len(g.Options))
	for i, o := range g.Options {
		names[i] = o.Name
	}
	return names
}

// Called is the question's name where people read it: its kind, or that it is their turn.
func (g *Gate) Called() string {
	if g.YourTurn != nil {
		return "your_turn"
	}
	return string(g.Kind)
}

// AnswerError says why an answer is refused; the gate stays open.
type AnswerError struct {
	Gate   string
	Reason string
}

func (e *AnswerError) Error() string { return e.Reason }

// InOwnWords is the option of somebody whose answer to a decision is the reason alone.
const InOwnWords = "other"

// takesFreely says whether the gate takes an answer that none of its options is. A number that it does not have is a
// slip, whatever stands beside it.
func (g *Gate) takesFreely(a Answer) bool {
	_, err := strconv.Atoi(a.Option)
	return g.Free && err != nil && strings.TrimSpace(a.Reason) != ""
}

// Check says whether the gate takes the answer, and returns the option that it names. "stop" is refused: it is no
// answer but the wish to leave the question open.
func (g *Gate) Check(a Answer) (Option, error) {
	refuse := func(format string, args ...any) (Option, error) {
		return Option{}, &AnswerError{Gate: g.ID, Reason: fmt.Sprintf(format, args...)}
	}
	if a.Gate != "" && a.Gate != g.ID {
		return refuse("the answer is for gate %s, but the open one is %s (%s): look at the question and answer that", a.Gate, g.ID, g.Called())
	}
	for _, r := range g.Refused {
		if r.Option == a.Option {
			return refuse("%s is not offered: %s", r.Option, r.Why)
		}
	}
	o, ok := g.Option(a.Option)
	if !ok && g.takesFreely(a) {
		free := Option{Name: a.Option, Effect: EffectChoose, Label: a.Option}
		if a.Option == InOwnWords {
			free.Label = "" // the reason says it all
		}
		return free, nil
	}
	if !ok {
		return refuse("%q doesn't answer this question", a.Option)
	}
	if o.Effect == EffectStop {
		return refuse("stop leaves the question open: there is nothing to answer")
	}
	if o.WantsReason && strings.TrimSpace(a.Reason) == "" {
		return refuse("%s needs a reason: add --reason \"…\"", o.Name)
	}
	return o, nil
}
