package notify

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/notify"
)

const (
	// atEnd is how long the end of a run waits for notices that are on their way.
	atEnd = 5 * time.Second
	// longWait is the shortest wait for a limit that is told.
	longWait = 10 * time.Minute
)

// Session is the session that a run works on.
type Session interface {
	State() machine.State
	Dir() string
}

// Run has notices of a run sent. The engine knows nothing of it: it listens to what is reported and to who is asked.
type Run struct {
	host    *console.Host
	set     config.Notify
	session Session
	sender  *notify.Sender
	about   notify.About
}

// Begin starts the notices of a run in a repository. What goes wrong with a channel is reported.
func Begin(h *console.Host, cfg *config.Config, root string, session Session, report journal.Reporter) *Run {
	r := &Run{host: h, set: cfg.Notify, session: session}
	r.about = notify.About{Repository: filepath.Base(root), Detail: cfg.Notify.Detail, Mask: app.MaskOf(h, cfg).Replace}
	warn := func(text string) { report.Report(journal.Note{Event: "warning", Text: text}) }
	var channels []notify.Channel
	for _, w := range ways(h, cfg, root) {
		switch {
		case w.err != nil:
			warn("no notices by " + w.name + ": " + w.err.Error())
		case w.off == "":
			channels = append(channels, w.Channel)
		}
	}
	r.sender = notify.NewSender(channels, filepath.Join(session.Dir(), notify.SentName), warn)
	return r
}

// Close waits for what is on its way, at most five seconds.
func (r *Run) Close() { r.sender.Close(atEnd) }

// Reporter passes on what is reported, and tells of long waits and of budgets that are nearly spent.
func (r *Run) Reporter(to journal.Reporter) journal.Reporter { return reporter{to, r} }

// Human asks the person, and tells that somebody is asked.
func (r *Run) Human(person gates.Human) gates.Human { return human{person, r} }

// Ended tells how the run ended. A question was told when it was asked, and who pressed Ctrl-C knows.
func (r *Run) Ended(code int, why string) {
	const asks, ctrlC = 3, 130
	switch {
	case code == 0 && r.session.State().CurrentState == machine.Done:
		r.tell(notify.Done, notify.About.Done)
	case code != 0 && code != asks && code != ctrlC:
		r.tell(notify.Stopped, func(a notify.About) notify.Notice { return a.Stopped(why) })
	}
}

// tell sends a notice of an event that the user wants to know of.
func (r *Run) tell(e notify.Event, make func(notify.About) notify.Notice) {
	if !slices.Contains(r.set.On, string(e)) {
		return
	}
	about := r.about
	about.State, about.At = r.session.State(), r.host.Now()
	r.sender.Send(make(about))
}

type reporter struct {
	journal.Reporter
	run *Run
}

func (p reporter) Report(n journal.Note) {
	p.Reporter.Report(n)
	if name, is := n.Fields["budget"].(string); is {
		p.run.tell(notify.Budget, func(a notify.About) notify.Notice { return a.Spending(name, n.Text) })
	}
	until, waits := n.Fields["until"].(time.Time)
	if outage, _ := n.Fields["outage"].(bool); waits && !outage && until.Sub(p.run.host.Now()) > longWait {
		backend, _ := n.Fields["backend"].(string)
		p.run.tell(notify.Limit, func(a notify.About) notify.Notice { return a.Waiting(backend, until) })
	}
}

type human struct {
	gates.Human
	run *Run
}

// Ask tells of the question before it is asked, and again while the answer is waited for.
func (h human) Ask(ctx context.Context, g machine.Gate) (machine.Answer, error) {
	h.run.tell(notify.Question, func(a notify.About) notify.Notice { return a.Question(g) })
	asking, answered := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.run.remind(asking, g)
	}()
	defer func() { answered(); <-ended }()
	return h.Human.Ask(ctx, g)
}

// remind tells of an open question again and again. What is counted from is when it was asked first, so that a restart repeats no
// reminder.
func (r *Run) remind(ctx context.Context, g machine.Gate) {
	every := r.set.Remind
	for every > 0 {
		open := r.host.Now().Sub(g.AskedAt)
		n := int(max(0, open)/every) + 1
		if r.host.Pause(ctx, time.Duration(n)*every-open) != nil {
			return
		}
		r.tell(notify.Question, func(a notify.About) notify.Notice { return a.Reminder(g, n) })
	}
}
