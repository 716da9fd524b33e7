package cmd

import (
	"cmp"
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
		{Use: "states", Short: "The states of a session, and what leads from one to the next"},
		{Use: "gates", Short: "The questions that a human answers, and the answers that each takes"},
		{Use: "configuration", Short: "The keys of autopilot.yaml"},
		{Use: "exit-codes", Short: "What each exit code means", Long: exitText},
	}
}

// pages are the long texts that are made from the tables of the code, by command. They are made when they are shown: all of
// them, at each start of the program, would take longer than most commands do.
var pages = map[string]func() string{
	"autopilot states":        statesText,
	"autopilot gates":         gatesText,
	"autopilot configuration": configText,
	"autopilot config": func() string {
		return "Shows each configuration value and where it comes from. The keys:\n\n" + configText()
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
				return console.UsageError("there is no help on %q; autopilot --help lists commands and topics", strings.Join(args, " "))
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
	b.WriteString("A question is answered at the terminal, with autopilot answer, or with a file in the session's inbox. No answer is\nnever a yes. (r: wants --reason)\n\n")
	for _, g := range machine.Offers() {
		var options []string
		for _, o := range g.Options {
			options = append(options, shownOption(g.Kind, o))
		}
		fmt.Fprintf(&b, "%-17s %s\n    %s\n", g.Kind, strings.Join(options, " · "), g.When)
	}
	return b.String()
}

// shownOption is an option as the tables of gates show it; 1 stands for all the choices of a decision.
func shownOption(kind machine.GateKind, o machine.Option) string {
	switch {
	case kind == machine.GateCheckpoint && o.Name == "1":
		return "1…n, or a text of your own with --reason"
	case o.WantsReason:
		return o.Name + " r"
	}
	return o.Name
}

func configText() string {
	var b strings.Builder
	b.WriteString("Defaults, then the user's config.yaml, then autopilot.yaml, then AUTOPILOT_* variables, then flags.\n\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "%s  (%s)\n    %s\n", k.Name, cmp.Or(k.Default, k.Type), k.Doc)
	}
	return b.String()
}

const exitText = `  0    done
  1    failed: a check said no, or an unexpected error
  2    usage, spec, configuration or repository (also one that you do not trust yet): the message says what to change
  3    waits for a human: the question and the commands that answer it are printed
  4    no backend, or it refuses the credentials
  5    a limit or a budget is reached; the same command resumes later
  6    another run holds the session or the working tree
  7    the state cannot be read, or is from a newer program
  129  stopped because the terminal was closed; everything is saved
  130  stopped by Ctrl-C; everything is saved
  143  stopped by SIGTERM; everything is saved`
