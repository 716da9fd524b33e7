package live

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

type watchOptions struct {
	host  *console.Host
	shown Flags
}

// NewWatch is the command that shows the run of another process.
func NewWatch(h *console.Host) *cobra.Command {
	o := &watchOptions{host: h}
	c := &cobra.Command{
		Use: "watch [SPEC.md]", Short: "Watch a session that is running in another terminal",
		Long: "Shows a run as its own terminal shows it, and changes nothing. Press q to leave; the run continues. Without a terminal it\n" +
			"prints a line for each step that finishes, and ends with the session's exit code when the run ends.",
		Example: "  autopilot watch docs/spec.md", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), console.First(args)) },
	}
	o.shown.Declare(c.Flags())
	return c
}

// lastLines is how many lines of the transcript are shown of what was before.
const lastLines = 10

func (o *watchOptions) run(ctx context.Context, spec string) error {
	if err := o.shown.Check(); err != nil {
		return err
	}
	w, s, err := app.ReadSession(ctx, o.host, spec)
	if err != nil {
		return err
	}
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	var past []view.Line
	f, err := Follow(ctx, w, s, func(s machine.State) view.Facts { return w.Facts(s, nil) }, func(added []view.Line) { past = append(past, added...) })
	if err != nil {
		return err
	}
	if !sessions.Held(w.Session) && s.Gate == nil && s.CurrentState != machine.Done {
		return console.UsageError("no run is at work on %s\n  autopilot %s", w.Rel, shell.QuotePath(w.Rel))
	}
	o.shown.Accessible = o.shown.Accessible || cfg.UI.Accessible
	mask := app.MaskOf(o.host, cfg)
	look := NewLook(o.host, o.shown.Color, mask.Replace)
	past = past[max(0, len(past)-lastLines):]
	return o.follow(ctx, f, look, past)
}

// follow shows the session until the person leaves, or its run ends. Without a terminal it prints lines on standard output.
func (o *watchOptions) follow(ctx context.Context, f *Follower, look Look, past []view.Line) error {
	watching, leave := context.WithCancel(ctx)
	defer leave()
	var last view.Session
	shown, accessible := o.shown.Live(o.host)
	h := *o.host
	if !shown {
		h.Err, look.Color = h.Out, look.Color && h.OutTerminal
	}
	l := New(Options{
		Host: &h, Look: look, Region: shown, Accessible: accessible, Prompt: &console.Prompt{}, Actions: Actions{Leave: leave},
		Session: func(time.Time) (view.Session, []view.Line, bool) {
			s, lines, err := f.Look()
			if err != nil {
				leave()
			} else if last = s; !s.Running {
				leave()
			}
			return s, lines, err == nil
		},
	})
	if s, _, err := f.Look(); err == nil {
		l.Add(header(s)...)
	}
	l.Add(past...)
	l.Begin(context.Background()) // who leaves stops nothing
	<-watching.Done()
	l.End()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, _, err := f.Look(); err != nil || last.Running {
		return err
	}
	return o.ended(last, f)
}

// plainColumns are those of lines that no terminal breaks.
const plainColumns = 100

// ended says how the run ended, and ends with its exit code.
func (o *watchOptions) ended(s view.Session, f *Follower) error {
	code := s.ExitCode
	if end := f.Facts(f.state).End; end != nil && s.Gate == nil {
		code = end.ExitCode
	}
	if err := o.host.Say("%s\n  %s", console.Clean(s.Headline), console.Clean(s.Next)); err != nil {
		return err
	}
	return console.Exit(code)
}
