package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"autopilot/cmd/console"
	"autopilot/config"
)

// flagGroups are the headings under which the help of a command with many flags lists them, in this order. What is not
// named comes last.
var flagGroups = []struct {
	heading string
	flags   []string
}{
	{"Plan", []string{"edit", "draft", "interactive", "file", "phase"}},
	{"How much to check and ask", []string{"fast", "thorough", "review-plans", "yes", "non-interactive", "pause-every"}},
	{"Start", []string{"dry-run", "restart", "worktree", "no-branch", "allow-dirty", "pr", "config", "trust", "worker", "skip-unvalidated"}},
	{"Agents", []string{"backend", "model", "parallel", "replay", "record"}},
	{"Limits", []string{"max-cost", "max-tokens", "max-dispatches", "max-duration", "max-per-phase", "max-per-task", "wait"}},
	{"Output", nil},
}

// manyFlags is from how many flags on a list of them is hard to read.
const manyFlags = 12

// groupFlags has the help of a command with many flags list them in groups. A width of 0 keeps each flag on one line.
func groupFlags(c *cobra.Command, width int) {
	template := c.UsageTemplate()
	begin := strings.Index(template, "Flags:\n{{.LocalFlags.")
	end := begin + strings.Index(template[max(0, begin):], "}}")
	flags := map[string]*pflag.Flag{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = f })
	if len(flags) < manyFlags || begin < 0 || end < begin {
		return
	}
	var b strings.Builder
	for _, group := range flagGroups {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range group.flags {
			if f := flags[name]; f != nil {
				set.AddFlag(f)
				delete(flags, name)
			}
		}
		if group.flags == nil {
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if flags[f.Name] != nil {
					set.AddFlag(f)
				}
			})
		}
		if set.HasAvailableFlags() {
			fmt.Fprintf(&b, "%s:\n%s\n", group.heading, set.FlagUsagesWrapped(width))
		}
	}
	c.SetUsageTemplate(template[:begin] + strings.TrimSpace(b.String()) + template[end+len("}}"):])
}

// flagValues are what flags of a type take, in words.
var flagValues = map[string]string{
	"int": "a whole number", "uint64": "a whole number from 0", "float64": "a number", "bool": "true or false", "duration": "a time such as 90s, 30m or 1h30m",
}

// wrongFlag says what is wrong with a flag: what it takes, or which one was perhaps meant.
func wrongFlag(c *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok && flagValues[bad.GetFlag().Value.Type()] != "" {
		return console.UsageError("--%s takes %s, not %q; %s --help lists the flags", bad.GetFlag().Name, flagValues[bad.GetFlag().Value.Type()], bad.GetValue(), c.CommandPath())
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := config.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return console.UsageError("%v, did you mean --%s? %s --help lists the flags", err, near, c.CommandPath())
		}
	}
	return console.UsageError("%v; %s --help lists the flags", err, c.CommandPath())
}

// nearTo asks whether a command of a similar name was meant; "" where there is none.
func nearTo(c *cobra.Command, name string) string {
	names, near := []string{"help"}, ""
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
		if slices.Contains(sub.SuggestFor, name) {
			near = sub.Name()
		}
	}
	near = cmp.Or(near, config.Nearest(name, names))
	if begun := slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, name) }); len(begun) > 0 {
		near = strings.Join(begun, " or ")
	}
	if near == "" {
		return ""
	}
	return ", did you mean " + near + "?"
}
