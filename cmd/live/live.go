package live

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// Options say what is shown, where, and what a person can do there.
type Options struct {
	Host    *console.Host
	Look    Look
	Prompt  *console.Prompt                                                 // of questions at the same terminal
	Session func(at time.Time) (s view.Session, added []view.Line, ok bool) // what is drawn; not ok: nothing is known
	Actions Actions

	Region     bool // below the lines that stay; without it there is a line every while
	Accessible bool // for who has the screen read aloud: no region, words instead of signs
	Verbose    bool // each agent run, check and commit as well, and what agents say
	Quiet      bool // only phases, questions, and what went wrong
	Forms      bool // questions can be forms
	Asks       bool // questions are asked, and not told in lines
}

// Live shows a session. Its methods may be called from several goroutines.
type Live struct {
	Options
	out      io.Writer
	terminal sync.Mutex // held by whom the screen belongs to, where that is a question or a viewer

	mu       sync.Mutex
	region   region
	plain    plain
	past     transcript
	titles   titles
	lines    []view.Line // that are not printed yet
	recent   []view.Line // printed last
	headed   bool        // the header is among them
	begun    time.Time
	printed  time.Time // when the last line was
	stopping time.Time // since when the run is being stopped; zero: it is not
	spec     string
	rigor    machine.Rigor
	asked    bool // a question has the screen: lines are printed above it
	covered  bool // a viewer has it: lines wait
	over     bool
	typing   typing
	keyboard *keyboard

	keys  chan rune
	wake  chan struct{}
	leave chan struct{}
	loops sync.WaitGroup
}

// New is the view of a session; Begin has it drawn.
func New(o Options) *Live {
	out := console.Unguarded(o.Host.Err)
	return &Live{
		Options: o, out: out, keys: make(chan rune, 16), wake: make(chan struct{}, 1), leave: make(chan struct{}), begun: o.Host.Now(), printed: o.Host.Now(),
		region: region{out: out, color: o.Look.Color}, plain: newPlain(o.Host),
		past:   transcript{Look: o.Look, accessible: o.Accessible, plain: !o.Region && !o.Accessible},
		titles: titles{out: out, progress: showsProgress(o.Host)},
	}
}

// Begin draws until End, or until the context ends and the run with it.
func (l *Live) Begin(ctx context.Context) {
	l.listen()
	l.loops.Go(func() { l.loop(ctx) })
}

// Report takes what a run tells. What events change is in the transcript; the rest is printed as it is.
func (l *Live) Report(n journal.Note) {
	if l.plain.ci != "" && !l.draws() {
		l.draw()
		l.mu.Lock()
		l.plain.annotate(n, l.rigor)
		l.mu.Unlock()
	}
	if n.Text == "" || !l.Verbose && (n.Detail || n.OfEvent || !slices.Contains([]string{"warning", "info", "pr"}, n.Event)) {
		l.Add()
		return
	}
	first, rest, more := strings.Cut(n.Text, "\n")
	line := view.Line{At: l.Host.Now(), Kind: n.Event, Text: first}
	if more {
		line.Detail = strings.Split(rest, "\n")
	}
	l.Add(line)
}

// Add prints lines of the transcript, and has the region drawn again.
func (l *Live) Add(lines ...view.Line) {
	l.mu.Lock()
	l.lines = append(l.lines, lines...)
	over := l.over
	l.mu.Unlock()
	if over {
		l.draw()
		return
	}
	select {
	case l.wake <- struct{}{}:
	default: // it is drawn soon anyway
	}
}

const (
	settle = 500 * time.Millisecond // a run that ends before flashes no region
	soon   = 50 * time.Millisecond  // events that come within are drawn together
)

func (l *Live) loop(ctx context.Context) {
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	suspended := make(chan os.Signal, 1)
	resized, forget := notices(suspended)
	defer forget()
	var due <-chan time.Time
	first, done := time.After(settle), ctx.Done()
	for {
		select {
		case <-l.leave:
			return
		case <-l.wake:
			if due == nil {
				due = time.After(soon)
			}
			continue
		case <-due:
			due = nil
		case <-first:
		case <-ticks.C:
		case <-resized:
		case <-suspended:
			l.suspend()
		case <-done:
			done = nil
			l.stop()
		case key := <-l.keys:
			l.press(ctx, key)
		}
		l.draw()
	}
}

// stop shows that the run is being stopped. A second Ctrl-C ends the program at once: the terminal is as it was by then.
func (l *Live) stop() {
	l.deaf()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopping, l.typing = l.Host.Now(), typing{}
	l.titles.clear()
}

// draw prints the lines that wait, and the region below them.
func (l *Live) draw() {
	now := l.Host.Now()
	s, added, known := l.Session(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, added...)
	slices.SortStableFunc(l.lines, func(a, b view.Line) int { return a.At.Compare(b.At) }) // notes among what events tell
	if l.covered {
		return
	}
	c := screen{Look: l.Look, at: now, stopping: l.stopping, typing: l.typing, actions: l.Actions}
	c.columns, c.height = l.size()
	region := known && l.draws() && !l.asked && !l.over && c.fits() && inForeground(l.Host)
	if l.beats(now, s) && known && !region {
		l.lines = append(l.lines, lineOf(now, "... "+heartbeat(s, now)))
	}
	if l.rigor = s.Rigor; len(l.lines) > 0 {
		l.printed = now
		if l.asked {
			l.Prompt.End(l.out)
		}
	}
	lines := l.waiting(c.columns)
	var rows []row
	if region && now.Sub(l.begun) >= settle {
		rows = c.frame(s)
	}
	l.spec = s.Spec
	_ = l.region.draw(lines, rows, c.columns, c.height) // a terminal that went away is no reason to stop the run
	if len(rows) > 0 && l.stopping.IsZero() {
		l.titles.show(s, l.Look)
	}
}

// draws says whether there is a region below the lines.
func (l *Live) draws() bool { return l.Region && !l.Accessible }

// waiting are the rows of the lines that are not printed yet; without a region they are printed.
func (l *Live) waiting(columns int) []row {
	var rows []row
	l.past.columns = columns
	for _, line := range l.lines {
		if l.Asks && line.Kind == "question" || l.headed && strings.HasPrefix(line.Text, view.Started) || l.Quiet && !loud(line) {
			continue // the question itself says it, or the header
		}
		drawn := l.past.line(line)
		if !l.draws() {
			l.plain.print(line, drawn, l.Look.Color)
			continue
		}
		rows, l.recent = append(rows, drawn...), append(l.recent, line)
	}
	l.recent = slices.Clone(l.recent[max(0, len(l.recent)-mostRecent):])
	l.lines = nil
	return rows
}

// loud says whether a line is printed where only what counts is wanted.
func loud(l view.Line) bool {
	return l.Mark == view.Broken || slices.Contains([]string{"phase", "warning", "finding", "limit", "question", "done"}, l.Kind)
}

// mostRecent are the lines that fill any terminal.
const mostRecent = 60

// Recent are the lines that were printed last.
func (l *Live) Recent() []view.Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.recent)
}

// Past are lines of a transcript as a terminal shows them.
func Past(look Look, columns int, lines []view.Line) []string {
	t := &transcript{Look: look, columns: columns}
	var rows []string
	for _, line := range lines {
		for _, r := range t.line(line) {
			rows = append(rows, r.shown(look.Color))
		}
	}
	return rows
}

// beats says whether nothing was printed for so long that a line has to say that the run is at work.
func (l *Live) beats(now time.Time, s view.Session) bool {
	every := beatEvery
	if l.Accessible {
		every *= 5
	}
	return !l.asked && !l.over && s.Gate == nil && now.Sub(l.printed) >= every
}

// Now is the session as it stands; the lines that came with it are printed.
func (l *Live) Now() (s view.Session, known bool) {
	s, added, known := l.Session(l.Host.Now())
	l.Add(added...)
	return s, known
}

// size is that of the terminal; one that tells none is taken for a usual one.
func (l *Live) size() (columns, height int) {
	columns, height = l.Host.Columns(), l.Host.Rows()
	switch {
	case columns <= 0 && !l.draws():
		return plainColumns, 24
	case columns <= 0 || height <= 0:
		return 80, 24
	}
	return columns, height
}

// Yield takes the region away while a question has the terminal, and gives what brings it back.
func (l *Live) Yield() (back func()) {
	l.terminal.Lock()
	return l.yield(&l.asked)
}

// Cover gives the whole screen away, and gives what brings it back. What is told meanwhile waits.
func (l *Live) Cover() (back func()) {
	l.terminal.Lock()
	return l.yield(&l.covered)
}

// yield gives the screen away, and says so; l.terminal is held until it is given back.
func (l *Live) yield(to *bool) (back func()) {
	l.deaf()
	l.draw()
	l.mu.Lock()
	defer l.mu.Unlock()
	columns, height := l.size()
	_ = l.region.draw(nil, nil, columns, height) // as in draw
	*to = true
	return func() {
		l.mu.Lock()
		*to = false
		again := !l.over && l.stopping.IsZero()
		l.mu.Unlock()
		l.terminal.Unlock()
		if again {
			l.listen()
		}
		l.Add()
	}
}

// End takes the region away for good, and leaves the terminal as it was. What is told from then on is printed at once.
func (l *Live) End() {
	l.mu.Lock()
	over := l.over
	l.over = true
	l.mu.Unlock()
	if over {
		return
	}
	close(l.leave)
	l.loops.Wait()
	l.deaf()
	l.draw()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.titles.clear()
	l.plain.close()
}

// Stopped prints, after End, what the run was stopped in, and what resumes it.
func (l *Live) Stopped(during string) {
	text := "Stopped during " + during + ". Everything is saved."
	l.Add(view.Line{At: l.Host.Now(), Kind: "run", Text: text, Detail: []string{"Resume: autopilot " + shell.QuotePath(l.spec)}})
}
