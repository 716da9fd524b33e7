package console

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

func namesOf(options []machine.Option) []string {
	var names []string
	for _, o := range options {
		names = append(names, o.Name)
	}
	return names
}

// GateText is a gate for a person: the question, what helps to decide, the options. A width other than 0 is kept to.
func GateText(g machine.Gate, width int) string {
	var b strings.Builder
	fmt.Fprintln(&b, Wrapped(Clean(g.Question), width, 0))
	for _, line := range g.Context {
		first, rest, more := strings.Cut(Clean(strings.TrimSpace(line)), "\n")
		fmt.Fprintln(&b, Wrapped("  - "+first, width, 4))
		if more {
			fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(rest, "\n", "\n    "))
		}
	}
	for i, o := range g.Offered() {
		number := fmt.Sprint(i+1) + ")"
		if !g.Numbered() {
			number = "  "
		}
		fmt.Fprintln(&b, Wrapped(fmt.Sprintf("  %s %-9s %s", number, Clean(o.Name), Clean(o.Label)), width, 15))
	}
	return b.String()
}

// WaitingText is what a run without a terminal leaves behind at a question; again is the command that goes on with it.
func WaitingText(g machine.Gate, spec, again string, width int) string {
	var b strings.Builder
	b.WriteString("\n" + GateText(g, width) + "\nAnswer with one of\n")
	commands := view.Commands(g, spec)
	for _, o := range g.Offered() {
		if line, ok := commands[o.Name]; ok {
			b.WriteString("  " + line + "\n")
		}
	}
	fmt.Fprintf(&b, "Then continue with\n  %s\n", again)
	return b.String()
}

// GateView is a gate as --json shows it: with the commands that answer it.
type GateView struct {
	machine.Gate
	Commands map[string]string `json:"commands"`
}

// ShownGate is a gate of the spec at a path as --json shows it.
func ShownGate(g machine.Gate, spec string) *GateView {
	return &GateView{Gate: g, Commands: view.Commands(g, spec)}
}
