package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/process"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/serve/door"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// byWeb is who decides what is answered here.
const byWeb = "human, web"

// given is an answer as a page or a script sends it.
type given struct {
	Gate    string `json:"gate"` // the id of the question that was seen
	Option  string `json:"option"`
	Reason  string `json:"reason"`
	Summary string `json:"summary"` // with the option done, of a person who did an agent's work
	Phase   int    `json:"phase"`   // with the option redo: its position, from 1
	Go      bool   `json:"go"`      // resume the session where no run is alive
}

// apiAnswer takes an answer as JSON.
func (s *server) apiAnswer(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	var g given
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, door.MostSent)).Decode(&g); err != nil {
		return &refusedError{http.StatusBadRequest, told("An answer is an object with gate, option, reason and go, of at most 64 KiB.")}
	}
	said, err := s.take(r.Context(), one, g)
	state, _, unread := sessions.Read(one.W.Session, one.W.SessionOptions(r.Context()))
	if err := cmp.Or(err, unread); err != nil {
		return err
	}
	code, data := http.StatusAccepted, map[string]any{"said": said} // a run that is alive takes it at its next step
	if at := slices.IndexFunc(state.Decisions, func(d machine.Decision) bool { return d.Gate == g.Gate }); at >= 0 {
		code, data["decision"] = http.StatusOK, state.Decisions[at].Shown()
	}
	return s.tell(w, code, data)
}

// pageAnswer takes the answer of a session's page, and shows the page again with what became of it.
func (s *server) pageAnswer(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	g := given{Gate: r.PostFormValue("gate"), Option: r.PostFormValue("option"), Reason: r.PostFormValue("reason"), Summary: r.PostFormValue("summary"), Go: r.PostFormValue("go") != ""}
	g.Phase, _ = strconv.Atoi(r.PostFormValue("phase"))
	if n, err := strconv.Atoi(r.PostFormValue("drop")); err == nil {
		one.DropComment(g.Gate, n)
		return s.showSession(w, r, one, shown{Given: g}, http.StatusOK)
	}
	whole := g
	whole.Reason = sites.WithComments(one.CommentsOn(g.Gate), g.Reason)
	said, err := s.take(r.Context(), one, whole)
	if refused, is := errors.AsType[*refusedError](err); is {
		return s.showSession(w, r, one, shown{Problem: console.WithRemedy(refused.error), Given: g}, refused.code)
	}
	if err != nil {
		return err
	}
	one.SetOutcome(said)
	http.Redirect(w, r, "/s/"+one.ID, http.StatusSeeOther)
	return nil
}

// take answers as autopilot answer does, once the question is the one that was seen, and resumes the session if wished.
func (s *server) take(ctx context.Context, one *sites.Site, g given) (string, error) {
	one.Answering.Lock()
	defer one.Answering.Unlock()
	state, _, err := sessions.Read(one.W.Session, one.W.SessionOptions(ctx))
	if err != nil {
		return "", err
	}
	if err := app.StillOpen(state, g.Gate); err != nil {
		return "", &refusedError{http.StatusConflict, err}
	}
	meant, offered := state.Gate.AsMeant(machine.Answer{Option: g.Option}).Option, state.Gate.Offered()
	at := slices.IndexFunc(offered, func(o machine.Option) bool { return o.Name == meant })
	switch {
	case at < 0:
		return "", &refusedError{http.StatusUnprocessableEntity, console.UsageError("choose an answer")}
	case offered[at].WantsReason && strings.TrimSpace(g.Reason) == "":
		return "", &refusedError{http.StatusUnprocessableEntity, console.UsageError("%s needs a reason", offered[at].Word())}
	case offered[at].Effect == string(machine.Redo) && g.Phase < 1:
		return "", &refusedError{http.StatusUnprocessableEntity, console.UsageError("choose the phase to run again")}
	}
	a := machine.Answer{Gate: g.Gate, Option: g.Option, Reason: g.Reason, Summary: g.Summary, Phase: g.Phase}
	said, err := app.Answering(state, a, one.W.Rel, func(args ...string) (string, error) { return s.printed(ctx, one, args...) })
	if err != nil {
		return "", &refusedError{http.StatusUnprocessableEntity, err}
	}
	first, _, _ := strings.Cut(said, " Continue with:")
	if _, live := sessions.Holder(one.W.Session); !g.Go || live || meant == machine.Stop {
		return first, nil
	}
	now, _, err := sessions.Read(one.W.Session, one.W.SessionOptions(ctx))
	if err != nil {
		return "", err
	}
	if err := s.resume(ctx, one, now.Revision); err != nil {
		return "", err
	}
	return first + " The session continues.", nil
}

// printed runs a command in the session's repository, and gives what it prints.
func (s *server) printed(ctx context.Context, one *sites.Site, args ...string) (string, error) {
	h, out := s.host.Captured(one.Repo.Root(), byWeb)
	h.Err = out
	err := s.run(ctx, h, args)
	return strings.TrimSpace(out.String()), err
}

// resume starts the session's next run, with the flags of the last one, and waits until it did something after a revision, or ended.
// The run goes on when serve ends.
func (s *server) resume(ctx context.Context, one *sites.Site, answered int64) error {
	last, err := sessions.LastRun(one.W.Session)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	c := exec.CommandContext(context.WithoutCancel(ctx), self, append(append([]string{"run"}, last.Flags...), "--non-interactive", "--", one.W.Rel)...)
	c.Args[0] = os.Args[0]
	c.Dir, c.Env, c.Stderr = one.Repo.Root(), slices.Clip(s.host.Environ), &said
	if s.host.Trusts {
		c.Env = append(c.Env, "AUTOPILOT_TRUST=1")
	}
	process.Detach(c)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for range 50 {
		select {
		case err := <-ended:
			if code := c.ProcessState.ExitCode(); code == 0 || code == 3 {
				return nil
			}
			return &refusedError{http.StatusUnprocessableEntity, console.UsageError("the answer was saved, but the run ended: %v\n%s", err, said.String())}
		default:
		}
		if now, _, err := sessions.Read(one.W.Session, one.W.SessionOptions(ctx)); err == nil && now.Revision > answered {
			return nil
		}
		_ = s.host.Pause(ctx, 100*time.Millisecond)
	}
	return nil
}

// send is what the other forms of a page do.
func (s *server) send(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	said, err := s.tellRun(r, one, r.PathValue("what"), r.PostFormValue("text"))
	if err != nil {
		return s.showSession(w, r, one, shown{Problem: console.WithRemedy(err)}, http.StatusUnprocessableEntity)
	}
	one.SetOutcome(said)
	http.Redirect(w, r, "/s/"+one.ID, http.StatusSeeOther)
	return nil
}

// tellRun leaves a note, or a wish of what the run is to do.
func (s *server) tellRun(r *http.Request, one *sites.Site, what, note string) (string, error) {
	switch what {
	case "note":
		return s.printed(r.Context(), one, "note", "--", one.W.Rel, note)
	case "pause":
		return "The run pauses after this task.", s.wish(one, machine.WishPause)
	case "stop":
		return "The run stops after its current step.", s.wish(one, machine.WishStop)
	}
	return "", console.UsageError("there is nothing at this address")
}

// wish leaves a wish for the run that is alive.
func (s *server) wish(one *sites.Site, wish machine.Wish) error {
	if _, live := sessions.Holder(one.W.Session); !live {
		return console.UsageError("no run is live")
	}
	return sessions.PostWish(one.W.Session, wish, byWeb)
}

// offered are the answers that a page has: stop is one only where a run can hear it.
func offered(v view.Session) []view.Choice {
	if v.Gate == nil {
		return nil
	}
	var choices []view.Choice
	for _, c := range v.Gate.Choices {
		if c.Name != machine.Stop || v.Running {
			choices = append(choices, c)
		}
	}
	return choices
}
