package live

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"autopilot/cmd/console"
)

// Flags say how a run is shown.
type Flags struct {
	Progress, Color string
	Accessible      bool
}

var (
	progresses = []string{"auto", "live", "plain", "json"}
	colors     = []string{"auto", "always", "never"}
)

// Declare adds the flags to those of a command.
func (f *Flags) Declare(set *pflag.FlagSet) {
	set.StringVar(&f.Progress, "progress", "auto", "show progress as `HOW`: live (a terminal view), plain (lines), json, or auto")
	set.StringVar(&f.Color, "color", "auto", "use colours `WHEN`: auto, always or never")
	set.BoolVar(&f.Accessible, "accessible", false, "print plain lines, with words instead of symbols, for a screen reader")
}

// Check refuses values that are none.
func (f *Flags) Check() error {
	if f.Progress != "" && !slices.Contains(progresses, f.Progress) {
		return console.UsageError("--progress takes auto, live, plain or json, not %q", f.Progress)
	}
	if f.Color != "" && !slices.Contains(colors, f.Color) {
		return console.UsageError("--color takes auto, always or never, not %q", f.Color)
	}
	return nil
}

// Live says whether a run is shown by New, and whether its lines are for who has them read aloud; else it is shown in plain
// lines.
func (f *Flags) Live(h *console.Host) (shown, accessible bool) {
	wished, _ := strconv.ParseBool(h.Getenv("AUTOPILOT_ACCESSIBLE"))
	at := h.Terminal && h.Columns() > 0
	switch accessible = (f.Accessible || wished) && at; {
	case accessible:
		return f.Progress != "plain", true
	case f.Progress == "live":
		return true, false
	case f.Progress != "" && f.Progress != "auto":
		return false, false
	}
	return Draws(h), false
}

// Draws says whether the host has a terminal that can be drawn on, with room.
func Draws(h *console.Host) bool {
	c := screen{columns: h.Columns(), height: h.Rows()}
	return h.Terminal && c.fits() && h.Getenv("TERM") != "dumb" && drawsRegion()
}
