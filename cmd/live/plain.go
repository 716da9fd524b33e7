package live

import (
	"fmt"
	"io"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// plain prints lines where no region is drawn: each whole, with nothing that moves a cursor. On GitHub Actions and Buildkite the
// lines of a phase are a group, and what needs somebody is an annotation.
type plain struct {
	host    *console.Host
	ci      string // github, buildkite; "": none is known
	grouped bool   // a group is open
}

func newPlain(h *console.Host) plain {
	p := plain{host: h}
	switch {
	case h.Getenv("GITHUB_ACTIONS") == "true":
		p.ci = "github"
	case h.Getenv("BUILDKITE") == "true":
		p.ci = "buildkite"
	}
	return p
}

// print writes the rows of a line. Where there are groups, the line that begins a phase is the name of its group.
func (p *plain) print(l view.Line, rows []row, color bool) {
	if l.Kind == "phase" && l.Mark == "" {
		p.close()
		if p.open(l.Text) {
			return // the group says it
		}
	}
	for _, r := range rows {
		_, _ = io.WriteString(p.host.Err, r.shown(color)+"\n") // a reader that went away is no reason to stop the run
	}
}

// open begins the group of a phase; false: there are no groups.
func (p *plain) open(title string) bool {
	switch p.ci {
	case "github":
		p.command("::group::" + data(title) + "\n")
		p.grouped = true
	case "buildkite":
		p.command("--- " + console.Clean(console.OneLine(title)) + "\n")
	}
	return p.ci != ""
}

// close ends the group of the last phase.
func (p *plain) close() {
	if p.grouped {
		p.command("::endgroup::\n")
		p.grouped = false
	}
}

// command writes a workflow command: the only text that reaches the runner unescaped.
func (p *plain) command(line string) { _, _ = io.WriteString(console.Unguarded(p.host.Err), line) }

// annotate has findings that block, and questions, stand out.
func (p *plain) annotate(n journal.Note, rigor machine.Rigor) {
	f, found := n.Fields["finding"].(machine.Finding)
	blocks := found && f.Blocks(rigor)
	g, asks := n.Fields["gate"].(machine.Gate)
	switch {
	case blocks && p.ci == "buildkite":
		p.command("+++\n")
	case blocks && p.ci == "github":
		place := "title=Review"
		if f.File != "" {
			place = fmt.Sprintf("file=%s,line=%d,%s", property(f.File), max(1, f.Line), place)
		}
		p.command("::error " + place + "::" + data(f.Title) + "\n")
	case asks && p.ci == "github":
		p.command("::warning title=autopilot needs you::" + data(g.Question) + "\n")
	}
}

// data is a text in a workflow command, as the runner reads it back.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(console.Clean(text))
}

// property is a value before the text of a workflow command.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}
