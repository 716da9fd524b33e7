package live

import (
	"strings"
	"unicode/utf8"

	"autopilot/cmd/console"
)

// style is how a text looks: parameters of SGR. There are 16 colours at most, so that the terminal's theme decides.
type style string

const (
	usual  style = ""
	green  style = "32"
	red    style = "31"
	yellow style = "33"
	cyan   style = "36" // a command to type
	bold   style = "1"
	faint  style = "2"
)

// Look is what a terminal can show.
type Look struct {
	Color bool
	ASCII bool
	Mask  func(string) string // takes secrets out of a text; nil: there are none
}

// NewLook is what the host's terminal can show; color is auto, always or never.
func NewLook(h *console.Host, color string, mask func(string) string) Look {
	on := h.Getenv("NO_COLOR") == "" && h.Getenv("TERM") != "dumb"
	return Look{Color: color == "always" || on && color != "never", ASCII: !showsUnicode(h), Mask: mask}
}

// showsUnicode says whether the terminal shows more than ASCII: the locale says so, and on Windows the console.
func showsUnicode(h *console.Host) bool {
	if h.Getenv("AUTOPILOT_ASCII") == "1" {
		return false
	}
	if known, utf8 := consoleUTF8(); known {
		return utf8
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(h.Getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return true
}

// ascii are the forms of signs where only ASCII can be shown.
var ascii = strings.NewReplacer("✓", "ok", "✗", "x", "◷", "w", "·", "-", "…", "...", "−", "-", "─", "-")

// Text is a text of ours as it is shown.
func (k Look) Text(s string) string {
	if !k.ASCII {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, ascii.Replace(s))
}

// Bold is a text that is to be seen first; Faint one that need not be; Good one that says that something passed, and Bad that
// it failed.
func (k Look) Bold(s string) string { return k.painted(s, bold) }

// Faint is as Bold says.
func (k Look) Faint(s string) string { return k.painted(s, faint) }

// Good is as Bold says.
func (k Look) Good(s string) string { return k.painted(s, green) }

// Bad is as Bold says.
func (k Look) Bad(s string) string { return k.painted(s, red) }

func (k Look) painted(s string, as style) string { return row{{s, as}}.shown(k.Color) }

// diffStyles are those of a line of a diff by its beginning; the first that fits counts.
var diffStyles = []struct {
	begins string
	as     style
}{
	{"diff ", bold}, {"index ", bold}, {"+++ ", bold}, {"--- ", bold}, {"@@", cyan}, {"+", green}, {"-", red}, {"", usual},
}

// Diff is the text of a diff as it is shown.
func (k Look) Diff(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for _, s := range diffStyles {
			if strings.HasPrefix(line, s.begins) {
				lines = append(lines, k.painted(line, s.as))
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// of is a span of a row.
func (k Look) of(s string, as style) span { return span{k.Text(s), as} }

// Told is a text of an agent, a spec or a command, on one line and without what a terminal acts on.
func (k Look) Told(s string) string {
	if k.Mask != nil {
		s = k.Mask(s)
	}
	return k.Text(console.Clean(console.OneLine(s)))
}

// spinner are its frames, one a second.
func (k Look) spinner(second int64) string {
	frames := []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}
	if k.ASCII {
		frames = []string{"|", "/", "-", `\`}
	}
	return frames[second%int64(len(frames))]
}
