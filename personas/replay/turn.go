package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go.yaml.in/yaml/v3"

	"autopilot/personas"
)

// turn is one answer of the model, as written in the file.
type turn struct {
	Text  text           `yaml:"text,omitempty"`
	Calls []yaml.Node    `yaml:"calls,omitempty"`
	Reply map[string]any `yaml:"reply,omitempty"`
	Usage usage          `yaml:"usage,omitempty"`

	Fault      string        `yaml:"fault,omitempty"`
	Detail     string        `yaml:"detail,omitempty"`
	RetryAfter time.Duration `yaml:"retry_after,omitempty"`
	Until      time.Time     `yaml:"until,omitempty"`
	Times      int           `yaml:"times,omitempty"`

	calls  []personas.Call
	played atomic.Int64 // how often the fault happened in this process
}

type usage struct {
	Input  int     `yaml:"input"`
	Cached int     `yaml:"cached"`
	Output int     `yaml:"output"`
	Cost   float64 `yaml:"cost"`
}

// submitReply is the tool that hands a reply in.
const submitReply = "submit_reply"

// hang is the fault that ends only when the dispatch is stopped from outside.
const hang = "hang"

var faults = []string{
	string(personas.RateLimited), string(personas.Auth), string(personas.Crashed),
	string(personas.NoReply), string(personas.TimedOut), hang,
}

// prepare checks a turn and turns its calls into JSON.
func (t *turn) prepare() error {
	if t.Fault != "" {
		if !slices.Contains(faults, t.Fault) {
			return fmt.Errorf("unknown fault %q: use one of %s", t.Fault, strings.Join(faults, ", "))
		}
		if t.Text != "" || t.Calls != nil || t.Reply != nil {
			return errors.New("a turn with a fault can't have text, calls or a reply: put them into a turn before it")
		}
		return nil
	}
	for i := range t.Calls {
		call, err := readCall(&t.Calls[i])
		if err != nil {
			return fmt.Errorf("call %d: %w", i+1, err)
		}
		t.calls = append(t.calls, call)
	}
	if t.Reply != nil {
		if _, ok := t.Reply["v"]; !ok {
			t.Reply["v"] = personas.ReplyVersion
		}
		arguments, err := json.Marshal(t.Reply)
		if err != nil {
			return fmt.Errorf("reply: %w", err)
		}
		t.calls = append(t.calls, personas.Call{Name: submitReply, Arguments: string(arguments)})
	}
	if t.Text == "" && len(t.calls) == 0 {
		return errors.New("the turn is empty: give it text, calls, a reply or a fault")
	}
	return nil
}

// spent says whether a fault happened often enough.
func (t *turn) spent() bool { return t.Times > 0 && t.played.Load() >= int64(t.Times) }

// readCall takes {tool: arguments}.
func readCall(n *yaml.Node) (personas.Call, error) {
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		return personas.Call{}, fmt.Errorf("line %d: write it as \"tool: {arguments}\", one tool each", n.Line)
	}
	name, value := n.Content[0].Value, n.Content[1]
	if value.Kind == yaml.ScalarNode && value.Tag == "!!str" {
		return personas.Call{Name: name, Arguments: value.Value}, nil
	}
	arguments := map[string]any{}
	err := value.Decode(&arguments)
	if err == nil && arguments == nil { // nothing is written after the name
		arguments = map[string]any{}
	}
	raw, jsonErr := json.Marshal(arguments)
	if err = cmp.Or(err, jsonErr); err != nil {
		return personas.Call{}, fmt.Errorf("the arguments of %s: %w", name, err)
	}
	return personas.Call{Name: name, Arguments: string(raw)}, nil
}

func (u usage) model() personas.Usage {
	return personas.Usage{InputTokens: u.Input, CachedTokens: u.Cached, OutputTokens: u.Output, CostUSD: u.Cost}
}
