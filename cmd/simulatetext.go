package cmd

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// text is the outcome for people, in a width.
func (v simulationView) text(width int) string {
	var b strings.Builder
	b.WriteString(runsText(v.Runs, width))
	line := func(format string, args ...any) {
		b.WriteString("\n" + console.Wrapped(fmt.Sprintf(format, args...), width, 0) + "\n")
	}
	for _, r := range v.Runs {
		if len(r.Cuts) > 0 {
			line("The run was %s, and resumed.", strings.Join(r.Cuts, ", then "))
		}
		for _, breach := range r.Breaches {
			line("Broken in %s, seed %d: %s", r.Profile, r.Seed, console.Clean(breach))
		}
	}
	for _, missed := range v.unnoticed() {
		line("Not noticed: %s", missed)
	}
	if short := v.short(); short != "" {
		line("%s", short)
	}
	if v.Held {
		line("%s", v.promises())
	}
	return b.String()
}

// unnoticed lists the misbehaviours of which nothing was noticed.
func (v simulationView) unnoticed() []string {
	var list []string
	for _, r := range v.Runs {
		for _, b := range r.Behaviours {
			for _, what := range b.Unnoticed {
				list = append(list, fmt.Sprintf("%s (%s), in the run %s with seed %d", b.Name, console.Clean(what), r.Profile, r.Seed))
			}
		}
	}
	return list
}

// short says how many runs ended before the last phase; "" where none did.
func (v simulationView) short() string {
	n := 0
	for _, r := range v.Runs {
		if r.Phase < len(v.Plans) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s ended before phase %s, the last: phases behind the one where a run ends are not played. In a mix fewer dispatches misbehave: --profile calm",
		n, machine.Plural(len(v.Runs), "run", "runs"), console.Clean(v.Plans[len(v.Plans)-1].Phase))
}

// promises is the last line of a simulation in which they held.
func (v simulationView) promises() string {
	also := ""
	if n := len(v.unnoticed()); n > 0 {
		also = fmt.Sprintf(", also where a misbehaviour was not noticed (%d)", n)
	}
	return "Every run ended within its budgets in a documented exit code; nothing was done in name only, and no file of the user was lost" + also + "."
}

// runsText has a line for each behaviour of each run: a table, or what it says in words where that is too wide.
func runsText(runs []simulationRun, width int) string {
	table := runsTable(runs)
	if width < console.Narrowest || widest(table) <= width {
		return table
	}
	var b strings.Builder
	for _, r := range runs {
		ended := fmt.Sprintf("exit code %d, %s", r.ExitCode, r.Ended)
		if len(r.Behaviours) == 0 {
			b.WriteString(console.Wrapped("(none): "+ended, width, 4) + "\n")
		}
		for _, v := range r.Behaviours {
			said := fmt.Sprintf("%s: %d of %d noticed, after %s; %s; by: %s", v.Name, v.Noticed, v.Shown, afterText(v), ended, firstOf(v))
			b.WriteString(console.Wrapped(said, width, 4) + "\n")
		}
	}
	return b.String()
}

func runsTable(runs []simulationRun) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "BEHAVIOUR\tNOTICED\tAFTER\tEXIT\tTHE RUN\tDETECTED BY")
	for _, r := range runs {
		end := fmt.Sprintf("%d\t%s", r.ExitCode, r.Ended)
		if len(r.Behaviours) == 0 {
			fmt.Fprintf(t, "(none)\t\t\t%s\t\n", end)
		}
		for _, v := range r.Behaviours {
			fmt.Fprintf(t, "%s\t%d of %d\t%s\t%s\t%s\n", v.Name, v.Noticed, v.Shown, afterText(v), end, firstOf(v))
			end = "\t"
		}
	}
	_ = t.Flush() // a builder takes everything
	return b.String()
}

// widest is the length of the longest line.
func widest(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		most = max(most, len([]rune(line)))
	}
	return most
}

// firstOf is by what a behaviour was first found out.
func firstOf(v behaviourView) string {
	if len(v.DetectedBy) == 0 {
		return "not noticed"
	}
	return v.DetectedBy[0]
}

func afterText(b behaviourView) string {
	if b.Noticed == 0 {
		return "-"
	}
	return fmt.Sprint(b.After)
}
