package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/cmd/audit"
	"autopilot/cmd/config"
	"autopilot/cmd/console"
	"autopilot/cmd/diff"
	"autopilot/cmd/doctor"
	"autopilot/cmd/live"
	"autopilot/cmd/look"
	"autopilot/cmd/mcp"
	"autopilot/cmd/notify"
	"autopilot/cmd/report"
	"autopilot/cmd/serve"
	"autopilot/cmd/simulate"
	"autopilot/cmd/spec"
	"autopilot/cmd/stop"
	"autopilot/cmd/tasks"
	"autopilot/cmd/trust"
	"autopilot/cmd/undo"
)

// newRoot is the whole command line. `autopilot SPEC.md` is the same as `autopilot run SPEC.md`.
func newRoot(h *console.Host) *cobra.Command {
	o := newRunOptions(h)
	root := &cobra.Command{
		Use:   "autopilot SPEC.md",
		Short: "Implement a spec phase by phase with LLM agents",
		Long: `autopilot reads a spec whose phases are listed under "Implementation Order" and drives agents through them:
plan, approve, execute, verify, review, phase by phase, then a final review of the whole change.
A session is the run of one spec. If it's stopped at any point, the same command resumes it.`,
		Example: `  autopilot docs/spec.md            run or resume
  autopilot docs/spec.md --fast     with fewer checks
  autopilot                         what needs you in this repository
  autopilot demo                    try it without any setup`,
		Args: cobra.ArbitraryArgs, SilenceErrors: true, SilenceUsage: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && o.JSON {
				return console.UsageError("--json needs a spec: autopilot docs/spec.md --json")
			}
			if len(args) == 0 {
				return look.Overview(c.Context(), h)
			}
			if !looksLikeSpec(h, args[0]) {
				return unknownCommand(c, args[0])
			}
			return runHere(c.Context(), o, args)
		},
	}
	o.flags(root)
	root.SetFlagErrorFunc(wrongFlag)
	root.Version = version()
	root.Flags().Bool("version", false, "print the version")
	root.SetVersionTemplate("autopilot {{.Version}}\n")
	root.AddCommand(
		newRun(h), look.NewStatus(h), look.NewWhy(h), newAnswer(h), stop.New(h), diff.New(h), spec.NewLint(h), newGraph(h), newDemo(h), newVersion(h),
		newNote(h), newFindings(h), newPhases(h), undo.New(h, forgeOf(h)), newPlan(h), look.NewList(h), live.NewLog(h), live.NewWatch(h), config.New(h), doctor.New(h), config.NewInit(h), newValidate(h),
		newRoadmap(h), newLearnings(h), newState(h), trust.New(h), notify.New(h), audit.New(h), report.New(h), tasks.New(h), tasks.NewHook(h), spec.New(h, runDrafted), mcp.New(h, version(), runLine), serve.New(h, report.Page, runLine), simulate.New(h, runSimulated),
	)
	root.AddCommand(newTopics()...)
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"}) // cobra has just made it
	completion.Example = "  autopilot completion bash > ~/.local/share/bash-completion/completions/autopilot"
	completion.RunE = func(*cobra.Command, []string) error {
		return console.UsageError("completion takes the name of a shell (bash, zsh, fish, powershell): autopilot completion bash")
	}
	groupCommands(root)
	all := below(root)
	for _, c := range all {
		if c.HasSubCommands() && c.RunE == nil { // without it nobody looks at the arguments
			c.Args, c.RunE = cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		if c.Args != nil {
			c.Args = asUsage(c.Args)
		}
	}
	width := h.Columns()
	nameTopics(root)
	makePages(root, width)
	if width >= console.Narrowest {
		root.SetUsageTemplate(strings.NewReplacer("Flags.FlagUsages", fmt.Sprintf("Flags.FlagUsagesWrapped %d", width),
			`Use "{{.CommandPath}} [command] --help" for more information about a command.`, `Help on one: {{.CommandPath}} [command] --help`,
		).Replace(root.UsageTemplate()))
		for _, c := range append(all, root) {
			brief(c, width, columnOf(c))
			c.Long, c.Example = console.Fitted(c.Long, width, c.Runnable() || c.Name() == "completion"), console.Examples(c.Example, width)
		}
	}
	return root
}

// commandGroups are the headings under which the help lists the commands.
var commandGroups = []struct {
	heading  string
	commands []string
}{
	{"Run", []string{"run", "demo", "spec", "lint", "plan", "simulate", "tasks"}},
	{"Follow a session", []string{"status", "why", "list", "watch", "serve", "log", "diff", "findings", "graph", "report", "audit"}},
	{"Act on a session", []string{"answer", "note", "stop", "phases", "undo"}},
	{"Set up", []string{"init", "doctor", "config", "trust", "notify", "validate"}},
	{"More", []string{"learnings", "roadmap", "state", "mcp", "hook", "completion", "help", "version"}},
}

func groupCommands(root *cobra.Command) {
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.heading, Title: group.heading + ":"})
		for _, name := range group.commands {
			if c, _, err := root.Find([]string{name}); err == nil && c != root {
				c.GroupID = group.heading
			}
		}
	}
	root.SetHelpCommandGroupID("More")
}

// below are the commands of a command, and theirs.
func below(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		all = append(append(all, sub), below(sub)...)
	}
	return all
}

// columnOf is where the line on a command stands in the help of its parent, as cobra lays it out.
func columnOf(c *cobra.Command) int {
	if c.Runnable() {
		return len("  ") + c.NamePadding() + len(" ")
	}
	return len("  ") + c.CommandPathPadding() + len("help ") + len(" ")
}

// nameTopics has the help list each topic with the command that shows it.
func nameTopics(root *cobra.Command) {
	named := fmt.Sprintf(`{{printf "%%-%ds" (printf "%%s help %%s" .Parent.Name .Name)}}`, root.Commands()[0].CommandPathPadding()+len("help "))
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{rpad .CommandPath .CommandPathPadding}}", named, 1))
}

func looksLikeSpec(h *console.Host, arg string) bool {
	if strings.HasSuffix(arg, ".md") || strings.ContainsAny(arg, `/\`) {
		return true
	}
	_, err := os.Stat(h.Path(arg))
	return err == nil
}

func unknownCommand(c *cobra.Command, name string) error {
	hint := cmp.Or(strings.TrimPrefix(nearTo(c, name), ", "), "autopilot --help lists them")
	return console.UsageError("%q is neither a command nor a spec (a Markdown file): %s", name, hint)
}

// asUsage makes a wrong number of arguments a usage error with an example.
func asUsage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if _, known := errors.AsType[*halt.UsageError](err); known || err == nil {
			return err
		}
		if c.HasAvailableSubCommands() && len(args) > 0 {
			return console.UsageError("%s has no command %q%s; %s --help lists its commands. An example: %s", c.CommandPath(), args[0], nearTo(c, args[0]), c.CommandPath(), words.FirstLine(c.Example))
		}
		_, takes, _ := strings.Cut(c.Use, " ")
		return console.UsageError("%s takes %s, and was given %s. An example: %s", c.CommandPath(), cmp.Or(takes, "no arguments"),
			machine.Plural(len(args), "argument", "arguments"), cmp.Or(words.FirstLine(c.Example), c.CommandPath()))
	}
}

func newVersion(h *console.Host) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  autopilot version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(h.Out, "autopilot "+version())
			return err
		},
	}
}

// brief fits the line that a list of commands has for each into a width: name and padding come before it.
func brief(c *cobra.Command, width, padding int) {
	if c.Long == "" {
		c.Long = c.Short
	}
	before := strings.Repeat(" ", padding)
	c.Short = strings.TrimPrefix(console.Wrapped(before+c.Short, width, padding), before)
}
