package console

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
)

// FinalObject is the last line of a run with --json.
func FinalObject(s *machine.State, code int, err error) map[string]any {
	object := map[string]any{"event": "final", "exitCode": code, "session": nil, "state": nil, "gate": nil, "usage": nil}
	if s != nil {
		object["session"], object["state"], object["usage"] = s.SessionSlug, s.CurrentState, s.Usage
		if s.Gate != nil {
			object["gate"] = ShownGate(*s.Gate, s.SpecPath)
		}
	}
	if err != nil && !is[*halt.WaitingError](err) {
		object["error"] = WithRemedy(err)
	}
	return object
}

// asksForJSON looks for --json among arguments that nobody has read yet.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// counted is standard output, and how much was written to it.
type counted struct {
	to io.Writer
	n  int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}

// EndsInJSON promises an object on standard output to whoever asks for JSON, before the arguments are read: they may be what
// is wrong. That of a run is its final one; any other command tells its error.
func (h *Host) EndsInJSON(root *cobra.Command, args []string) {
	c, rest, _ := root.Find(args)
	switch {
	case !asksForJSON(rest):
	case c == root, c.Name() == "run":
		h.Final = func(code int, err error) { _ = json.NewEncoder(h.Out).Encode(FinalObject(nil, code, err)) }
	case c.Flags().Lookup("json") != nil: // each prints what it has to tell by itself, but where an error is all there is
		said, lines := &counted{to: h.Out}, c.HasParent() && c.Parent().Name() == "tasks" // what those print are objects, a line each
		h.Out = said
		h.Final = func(code int, err error) {
			if h.Explain(err) && (said.n == 0 || lines) {
				_ = json.NewEncoder(h.Out).Encode(map[string]any{"error": WithRemedy(err), "exitCode": code})
			}
		}
	}
}
