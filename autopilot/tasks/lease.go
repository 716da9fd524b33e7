package tasks

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
)

// hold runs something and renews the claim meanwhile. A claim that is no longer this worker's ends it.
func (l *Loop) hold(ctx context.Context, t machine.ListedTask, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-ended:
				return
			case <-l.After(l.Settings.Lease / 3):
				if err := l.renew(ctx, t.ID); taken(err) && l.Line != nil { // else nobody can take it: an agent wrote that
					cancel(&lostError{err})
					return
				}
			}
		}
	}()
	err := run(ctx)
	close(ended)
	<-gone
	defer cancel(nil)
	if lost, ok := context.Cause(ctx).(*lostError); ok { //nolint:errorlint // it is the cause itself
		return lost
	}
	return err
}

func (l *Loop) renew(ctx context.Context, id string) error {
	err := l.File.Update(context.WithoutCancel(ctx), func(list *machine.TaskList) error {
		_, err := list.Renew(id, l.Worker, l.Now(), l.Settings.Lease)
		return err
	})
	if err != nil && !taken(err) {
		l.say("warning", "The claim on %s could not be renewed: %v", id, err)
	}
	return err
}

// checkpointLine is how an agent reports a step.
var checkpointLine = lazyregexp.New(`^CHECKPOINT\s+(?:\[[^\]]*\]\s*)?step=(\d{1,6})/(\d{1,6})\s*(.*)$`)

// tellOfAgent passes on what the agent says.
func (l *Loop) tellOfAgent(kind, text string) {
	l.Report.Report(autopilot.Note{Event: "agent", Text: kind + ": " + firstLine(text), Fields: map[string]any{"kind": kind, "text": text}, Detail: true})
}

// hear takes a step that the agent reports.
func (l *Loop) hear(ctx context.Context, t machine.ListedTask, line string) {
	if m := checkpointLine.FindStringSubmatch(line); m != nil {
		step, _ := strconv.Atoi(m[1])
		total, _ := strconv.Atoi(m[2])
		if err := l.reached(ctx, t.ID, step, total, strings.Trim(strings.TrimSpace(m[3]), `"`)); err != nil && !taken(err) {
			l.say("warning", "A step of %s could not be recorded: %v", t.ID, err)
		}
	}
}

// reached records a step in the file and in the log.
func (l *Loop) reached(ctx context.Context, id string, step, total int, description string) error {
	err := l.File.Update(ctx, func(list *machine.TaskList) error {
		return list.Reach(id, l.Worker, machine.Milestone{Step: step, Total: total, Description: description, Timestamp: l.Now()}, l.Settings.Lease)
	})
	if err != nil {
		return err
	}
	return l.log("CHECKPOINT", id, "", fmt.Sprintf("step=%d/%d %q", step, total, description))
}
