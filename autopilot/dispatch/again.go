package dispatch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// earlier is what the persona of a step said when it judged the same work before, where commits came since; nil is that it did
// not, or that its reply is not there any more: then it starts over.
func (w Briefs) earlier(ctx context.Context, s machine.State, step machine.Step) (*personas.Earlier, error) {
	var r personas.Reply
	judged, is := judgedBefore(s, step)
	path := filepath.Join(w.Dir, "attempts", fmt.Sprint(step.Phase), FolderOf(step), fmt.Sprint(judged.Attempt), "reply.json")
	if is = is && plainfile.ReadJSON(path, &r) == nil; !is {
		return nil, nil
	}
	head, err := w.Repo.History.Log(ctx, 1)
	if err != nil || head[0].SHA == judged.Commit {
		return nil, err
	}
	if ours, _ := w.Repo.History.IsAncestor(ctx, judged.Commit, head[0].SHA); !ours { // an error: it is not there any more
		return nil, ctx.Err()
	}
	e := &personas.Earlier{Commit: judged.Commit, Base: standingBase(s, step), Reply: r}
	for _, t := range s.Tasks {
		for _, f := range t.Fixes() {
			if was, _ := s.Register.Of(f); t.Status == machine.TaskCompleted && was.Fate == machine.FateOpen && !slices.Contains(e.Fixed, was.ID) {
				e.Fixed = append(e.Fixed, was.ID)
			}
		}
	}
	return e, nil
}

// judgedBefore is the last dispatch that judged what the one of a step is to judge.
func judgedBefore(s machine.State, step machine.Step) (judged machine.Judged, is bool) {
	switch {
	case step.State == machine.FinalReview && step.Persona == "reviewer":
		if s.FinalReview.Judged != nil {
			return *s.FinalReview.Judged, true
		}
	case step.Phase > 0 && step.Task == "":
		judged, is = s.Phases[step.Phase-1].Judged[step.Persona]
	}
	return judged, is
}
