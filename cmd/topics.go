package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/cmd/simulate"
	"autopilot/config"
)

// newTopics are the pages of `autopilot help TOPIC`.
func newTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "states", Short: "The states of a session, and how it moves between them"},
		{Use: "gates", Short: "The questions that wait for you, and the answers to each"},
		{Use: "configuration", Short: "The keys of autopilot.yaml"},
		{Use: "exit-codes", Short: "The exit codes", Long: exitText},
	}
}

// pages are the long texts that are made from the tables of the code, by command. They are made when they are shown: all of
// them, at each start of the program, would take longer than most commands do.
var pages = map[string]func() string{
	"autopilot states": statesText,
	"autopilot gates":  gatesText,
	"autopilot configuration": func() string {
		return "The keys of autopilot.yaml. autopilot config shows their values, and where each was set.\n\n" + configText()
	},
	"autopilot config": func() string {
		return "Shows each configuration value and where it was set.\n\n" + configText()
	},
	"autopilot simulate": simulate.Text,
}

// makePages has the help make the page that it shows, in the width of the terminal.
func makePages(root *cobra.Command, width int) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if page, made := pages[c.CommandPath()]; made {
			c.Long = page()
			if width >= console.Narrowest {
				c.Long = console.Fitted(c.Long, width, c.Runnable())
			}
		}
		groupFlags(c, width)
		show(c, args)
	})
}

// newHelp is `autopilot help COMMAND|TOPIC`.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: "Help on a command or a topic", Example: "  autopilot help gates",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || found == nil || (len(rest) > 0 && found == c.Root()) {
				return console.UsageError("no help for %q; autopilot --help lists commands and topics", strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

// stateWork says what is done in each state.
var stateWork = map[machine.Name]string{
	machine.Init:          "creates the branch, and runs the checks before any work",
	machine.Assess:        "begins a phase, and looks for its plan",
	machine.Plan:          "writes the plan of the phase",
	machine.ApprovePlan:   "approves the plan, or asks you",
	machine.Execute:       "works on the tasks of the plan; autopilot checks and commits each",
	machine.Verify:        "checks the work of the phase against the spec and the plan",
	machine.Review:        "reviews the changes of the phase",
	machine.PhaseComplete: "records the phase, and asks whether to continue",
	machine.FinalReview:   "checks and reviews the changes of all phases",
	machine.Done:          "closes the session; new phases in the spec, or a redo, open it again",
}

func statesText() string {
	var b strings.Builder
	b.WriteString("A session is in one of these states; in parentheses: who acts in it. Below each, what can happen, and the state that it\n" +
		"leads to. Each phase goes from ASSESS to PHASE_COMPLETE.\n\n")
	for _, from := range machine.Names {
		fmt.Fprintf(&b, "%s  (%s): %s\n", from, machine.Actors[from], stateWork[from])
		for _, edge := range slices.Sorted(maps.Keys(machine.Edges[from])) {
			fmt.Fprintf(&b, "    %-22s %s\n", edge, machine.Edges[from][edge])
		}
	}
	return b.String()
}

func gatesText() string {
	var b strings.Builder
	b.WriteString("A gate is a question that only you can answer: at the terminal, with autopilot answer, or with a file in the session's\n" +
		"inbox. Until you answer, the gate stays open. At each gate you can also answer stop: save and exit; the question stays open.\n" +
		"yes also works for approve, and for continue when a phase is complete.\n")
	for _, g := range machine.Offers() {
		fmt.Fprintf(&b, "\n%s: %s\n", g.Kind, g.When)
		for _, o := range g.Options {
			if o.Name != machine.Stop {
				fmt.Fprintf(&b, "    %-10s  %s\n", shownOption(g.Kind, o), shownLabel(o))
			}
			if g.Kind == machine.GateCheckpoint && o.Name == "1" {
				fmt.Fprintf(&b, "    %-10s  %s\n", machine.InOwnWords, "your own answer (needs --reason)")
			}
		}
	}
	return b.String()
}

// shownOption is an option as the page of gates shows it; 1 stands for all the choices of a decision.
func shownOption(kind machine.GateKind, o machine.Option) string {
	if kind == machine.GateCheckpoint && o.Name == "1" {
		return "1, 2, …"
	}
	return o.Word()
}

func shownLabel(o machine.Option) string {
	if o.WantsReason {
		return o.Label + " (needs --reason)"
	}
	return o.Label
}

func configText() string {
	var b strings.Builder
	b.WriteString("If a key is set in several places, the first of these counts: a flag, an AUTOPILOT_* variable (AUTOPILOT_TIMEOUTS_IDLE\n" +
		"is timeouts.idle; keys with a NAME have none), the repository's autopilot.yaml, your own file\n" +
		"(~/.config/autopilot/config.yaml on Linux), the default.\n\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "%s  (%s)\n    %s\n", k.Name, valuesOf(k), k.Doc)
	}
	return b.String()
}

// valuesOf is what a key takes: its choices, else the kind of its value; then the default, if it has one.
func valuesOf(k config.Key) string {
	values := k.Type
	if strings.Contains(k.Allowed, "|") {
		values = strings.ReplaceAll(k.Allowed, "|", ", ")
	}
	if k.Default == "" {
		return values
	}
	return values + "; default " + k.Default
}

const exitText = `  0    done
  1    failed: a check failed, or an unexpected error
  2    change something first: the command, spec, configuration or repository; or you don't trust the repository yet
  3    waiting for you: at a question (printed with its commands), or stopped by autopilot stop
  4    no backend, refused credentials, or a server that can't be reached
  5    a rate limit, an outage or a budget; the same command resumes later
  6    another run is using the session or the working tree
  7    can't read the state, or a newer autopilot wrote it
  129  stopped because the terminal was closed; everything is saved
  130  stopped by Ctrl-C; everything is saved
  143  stopped by SIGTERM; everything is saved`
