package simulate

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// text is the outcome for people, in a width.
func (v summary) text(width int) string {
	text := v.runsText(width)
	line := func(format string, args ...any) {
		text += "\n" + console.Wrapped(fmt.Sprintf(format, args...), width, 0) + "\n"
	}
	missed, short := 0, 0
	for _, r := range v.Runs {
		for _, breach := range r.Breaches {
			line("Broken in %s, seed %d: %s", r.Profile, r.Seed, console.Clean(breach))
		}
		for _, c := range r.Behaviours {
			for _, what := range c.Unnoticed {
				line("Not noticed: %s (%s), in the run %s with seed %d", c.Name, console.Clean(what), r.Profile, r.Seed)
			}
			missed += len(c.Unnoticed)
		}
		if r.Phase < len(v.Plans) {
			short++
		}
	}
	if short > 0 {
		line("%d of %s ended before phase %s, the last: phases behind the one where a run ends are not played. In a mix fewer agent runs misbehave: --profile calm",
			short, machine.Plural(len(v.Runs), "run", "runs"), console.Clean(v.Plans[len(v.Plans)-1].Phase))
	}
	if v.Held {
		also := ""
		if missed > 0 {
			also = fmt.Sprintf(", also where a misbehaviour was not noticed (%d)", missed)
		}
		line("Every run ended within its budgets in a documented exit code; nothing was done in name only, and no file of the user was lost%s.", also)
	}
	return text
}

// runsText has a line for each behaviour of each run: a table, or what it says in words where that is too wide.
func (v summary) runsText(width int) string {
	var table, words strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "BEHAVIOUR\tNOTICED\tAFTER\tEXIT\tTHE RUN\tDETECTED BY")
	for _, r := range v.Runs {
		end, ended := fmt.Sprintf("%d\t%s", r.ExitCode, r.Ended), fmt.Sprintf("exit code %d, %s", r.ExitCode, r.Ended)
		if len(r.Behaviours) == 0 {
			fmt.Fprintf(t, "(none)\t\t\t%s\t\n", end)
			words.WriteString(console.Wrapped("(none): "+ended, width, 4) + "\n")
		}
		for _, b := range r.Behaviours {
			after, by := "-", "not noticed"
			if b.Noticed > 0 {
				after, by = fmt.Sprint(b.After), b.DetectedBy[0]
			}
			fmt.Fprintf(t, "%s\t%d of %d\t%s\t%s\t%s\n", b.Name, b.Noticed, b.Shown, after, end, by)
			words.WriteString(console.Wrapped(fmt.Sprintf("%s: %d of %d noticed, after %s; %s; by: %s", b.Name, b.Noticed, b.Shown, after, ended, by), width, 4) + "\n")
			end = "\t"
		}
	}
	_ = t.Flush() // a builder takes everything
	if width < console.Narrowest || widest(table.String()) <= width {
		return table.String()
	}
	return words.String()
}

// widest is the length of the longest line.
func widest(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		most = max(most, len([]rune(line)))
	}
	return most
}

// whosePlans says whose plans are played.
func (v summary) whosePlans() string {
	own := 0
	for _, p := range v.Plans {
		if p.Plan != "" {
			own++
		}
	}
	if own == len(v.Plans) {
		return "every phase has its own plan"
	}
	return fmt.Sprintf("%d of %d phases have their own plan, and the others get one of two tasks", own, len(v.Plans))
}
