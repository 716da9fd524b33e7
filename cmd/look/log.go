package look

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

type logOptions struct {
	host *console.Host

	follow   bool
	commands bool
	lines    int
}

// NewLog is the command log.
func NewLog(h *console.Host) *cobra.Command {
	o := &logOptions{host: h}
	c := &cobra.Command{
		Use: "log [SPEC.md]", Short: "Print what a session did, one event per line",
		Example: "  autopilot log docs/spec.md\n  autopilot log docs/spec.md -f\n  autopilot log docs/spec.md --commands", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return runLog(c.Context(), o, console.First(args)) },
	}
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "keep printing new events until Ctrl-C")
	c.Flags().BoolVar(&o.commands, "commands", false, "print each command that autopilot ran to check the work, with its exit code and duration")
	c.Flags().IntVarP(&o.lines, "lines", "n", 200, "print the last `N` lines; 0 for all")
	return c
}

func runLog(ctx context.Context, o *logOptions, spec string) error {
	if o.lines < 0 {
		return console.UsageError("-n wants how many lines, 0 for all: autopilot log docs/spec.md -n 20")
	}
	w, err := app.FindSession(ctx, o.host, spec)
	if err != nil {
		return err
	}
	if o.commands {
		return w.PrintCommands(o.host.Out)
	}
	path := filepath.Join(w.Session, "progress.txt")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(w.Session); err != nil {
			return console.UsageError("no session for %s yet\nStart one: autopilot %s", w.Rel, shell.QuotePath(w.Rel))
		}
		err = nil
	}
	if err != nil {
		return err
	}
	shown := &logText{width: o.host.OutWidth()}
	if _, err := io.WriteString(o.host.Out, shown.of(readable(lastLines(string(data), o.lines)))); err != nil || !o.follow {
		return err
	}
	return o.tail(ctx, &growing{path: path, at: int64(len(data))}, shown)
}

// logText fits log lines to a person's terminal: the day and the run stand on a line of their own where they change,
// and what is left of a line is broken between words. Where the width is not known, a line stays as the file has it.
type logText struct {
	width int
	run   string // the day and the run of the line before
}

// LogText is progress.txt as a person reads it in a width.
func LogText(text string, width int) string { return (&logText{width: width}).of(readable(text)) }

// logLine takes a line of progress.txt apart: day, time, run, type, what happened.
var logLine = lazyregexp.New(`^\[(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z\] \[SESSION-(\d+)\] (\w+) ?(.*)$`)

func (l *logText) of(lines string) string {
	if l.width < console.Narrowest {
		return lines
	}
	var b strings.Builder
	for line := range strings.Lines(lines) {
		part := logLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if part == nil {
			b.WriteString(line)
			continue
		}
		if run := part[1] + " (UTC), run " + part[3]; run != l.run {
			b.WriteString(run + "\n")
			l.run = run
		}
		b.WriteString(console.Wrapped(strings.TrimSpace(part[2]+"  "+part[4]+" "+part[5]), l.width, len("15:04:05  ")) + "\n")
	}
	return b.String()
}

// lineKey ends a line that is written once; it is for the program, not for a reader.
var lineKey = lazyregexp.New(`(?m) \{#\S+\}$`)

func readable(lines string) string { return lineKey.ReplaceAllString(console.Clean(lines), "") }

// lastLines keeps the last n lines of a text; 0 keeps all.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if n <= 0 || len(lines) <= n {
		return text
	}
	return strings.Join(lines[len(lines)-n-1:], "")
}
