package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// putRight takes back what the agent did to the repository beside its work, and tells it. Commits of its own are taken
// back, their files stay; anything worse is a failed attempt. Ended is zero, but for a killed run's agent, which gave no
// reply.
func (a attempts) putRight(ctx context.Context, t taskfile.ListedTask, dispatch string, was workspace.RepoSnapshot, ended time.Time, reply *personas.Reply) error {
	g := a.line.guarding(t.ID, dispatch)
	g.Ended, g.Mask = ended, a.mask.Replace
	found, err := g.Restore(ctx, was)
	var worse []string
	for _, f := range found {
		if f.Severity == machine.Critical {
			worse = append(worse, workspace.OneLine(f))
		} else {
			a.say("finding", "%s", workspace.OneLine(f))
		}
	}
	if err == nil {
		err = a.notes.change(ctx, t, func(b *before) {
			b.Flight, b.Ended, b.Summary = nil, time.Time{}, ""
			if reply != nil {
				b.Summary = machine.Beginning(reply.Summary)
			}
		})
	}
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	if len(worse) > 0 {
		return &failure{taskfile.CategoryTaskExec, strings.Join(worse, "\n")}
	}
	return nil
}
