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
	"autopilot states":        statesText,
	"autopilot gates":         gatesText,
	"autopilot configuration": configText,
	"autopilot config": func() string {
		return "Shows each configuration value and where it was set. The keys:\n\n" + configText()
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

func statesText() string {
	var b strings.Builder
	for _, from := range machine.Names {
		fmt.Fprintf(&b, "%s  (%s)\n", from, machine.Actors[from])
		for _, edge := range slices.Sorted(maps.Keys(machine.Edges[from])) {
			fmt.Fprintf(&b, "    %-22s %s\n", edge, machine.Edges[from][edge])
		}
	}
	return b.String()
}

func gatesText() string {
	var b strings.Builder
	b.WriteString("A gate is a question that only you answer: at the terminal, with autopilot answer, or with a file in the session's inbox.\n" +
		"Until you answer, the gate stays open. Each gate also takes stop: save and exit. yes also works for approve and continue. (r: needs --reason)\n")
	for _, g := range machine.Offers() {
		fmt.Fprintf(&b, "\n%s: %s\n", g.Kind, g.When)
		for _, o := range g.Options {
			if o.Name != machine.Stop {
				fmt.Fprintf(&b, "    %-11s %s\n", shownOption(g.Kind, o), o.Label)
			}
		}
	}
	return b.String()
}

// shownOption is an option as the page of gates shows it; 1 stands for all the choices of a decision.
func shownOption(kind machine.GateKind, o machine.Option) string {
	switch {
	case kind == machine.GateCheckpoint && o.Name == "1":
		return "1, 2, …"
	case o.WantsReason:
		return o.Word() + " (r)"
	}
	return o.Word()
}

func configText() string {
	var b strings.Builder
	b.WriteString("A value comes from the first of these that sets it: a flag, an AUTOPILOT_* variable, autopilot.yaml, your config.yaml, the\n" +
		"default. autopilot config shows each value and where it was set.\n\n")
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
  2    usage, spec, configuration or repository (also one that you don't trust yet): the message says what to change
  3    waiting for you: the question and the commands that answer it are printed
  4    no backend, or the backend rejects your login
  5    a limit or budget is reached; the same command resumes later
  6    another run is using the session or the working tree
  7    can't read the state, or a newer autopilot wrote it
  129  stopped because the terminal was closed; everything is saved
  130  stopped by Ctrl-C; everything is saved
  143  stopped by SIGTERM; everything is saved`
