package live

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// Plain shows a run in lines alone: what it tells, and after a minute without a word what it is at. On GitHub Actions and
// Buildkite the lines of a phase are a group, and what needs somebody is an annotation.
type Plain struct {
	host    *console.Host
	lines   journal.Reporter
	session func() view.Session
	ci      string // github, buildkite; "": none is known

	mu      sync.Mutex
	printed time.Time
	group   int // the phase whose lines are a group; 0: there is none
	cancel  context.CancelFunc
	loops   sync.WaitGroup
}

// NewPlain has lines print what a run tells; session is what the run is at.
func NewPlain(h *console.Host, lines journal.Reporter, session func() view.Session) *Plain {
	p := &Plain{host: h, lines: lines, session: session, printed: h.Now()}
	switch {
	case h.Getenv("GITHUB_ACTIONS") == "true":
		p.ci = "github"
	case h.Getenv("BUILDKITE") == "true":
		p.ci = "buildkite"
	}
	return p
}

// Begin watches for silence until End.
func (p *Plain) Begin(ctx context.Context) {
	ctx, p.cancel = context.WithCancel(ctx)
	p.loops.Go(func() {
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				p.beat()
			}
		}
	})
}

// End closes the group of the last phase. What is told from then on is printed.
func (p *Plain) End() {
	if p.cancel == nil {
		return
	}
	p.cancel()
	p.loops.Wait()
	p.cancel = nil
	p.open(0, "")
}

// Report prints a note.
func (p *Plain) Report(n journal.Note) {
	if phase, is := n.Fields["phase"].(int); is && n.Event == "state" {
		s := p.session()
		title := ""
		if phase <= len(s.Phases) {
			title = fmt.Sprintf("Phase %d of %d · %s", phase, len(s.Phases), s.Phases[phase-1].Name)
		}
		p.open(phase, title)
	}
	p.annotate(n)
	p.lines.Report(n)
	if n.Text != "" && !n.Detail {
		p.mu.Lock()
		p.printed = p.host.Now()
		p.mu.Unlock()
	}
}

// beat says what the run is at, after a minute without a line.
func (p *Plain) beat() {
	now := p.host.Now()
	p.mu.Lock()
	due := now.Sub(p.printed) >= beatEvery
	p.mu.Unlock()
	if !due {
		return
	}
	if s := p.session(); s.Gate == nil {
		p.Report(journal.Note{Event: "info", Text: "... " + heartbeat(s, now)})
	}
}

// open begins the group of a phase, after the end of the one before.
func (p *Plain) open(phase int, title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ci == "" || phase == p.group {
		return
	}
	if p.group > 0 && p.ci == "github" {
		p.command("::endgroup::\n")
	}
	p.group = phase
	switch {
	case title == "":
	case p.ci == "github":
		p.command("::group::" + data(title) + "\n")
	default:
		p.command("--- " + console.Clean(console.OneLine(title)) + "\n")
	}
}

// command writes a workflow command: the only text that reaches the runner unescaped.
func (p *Plain) command(line string) {
	_, _ = io.WriteString(console.Unguarded(p.host.Err), line) // a reader that went away is no reason to stop the run
}

// annotate has findings that block, and questions, stand out.
func (p *Plain) annotate(n journal.Note) {
	if p.ci != "github" {
		if f, is := n.Fields["finding"].(machine.Finding); is && p.ci != "" && f.Blocks(p.session().Rigor) {
			p.command("+++\n")
		}
		return
	}
	if f, is := n.Fields["finding"].(machine.Finding); is && f.Blocks(p.session().Rigor) {
		place := "title=Review"
		if f.File != "" {
			place = fmt.Sprintf("file=%s,line=%d,%s", property(f.File), max(1, f.Line), place)
		}
		p.command("::error " + place + "::" + data(f.Title) + "\n")
	}
	if g, is := n.Fields["gate"].(machine.Gate); is {
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
