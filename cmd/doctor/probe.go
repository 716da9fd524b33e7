package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/personas/command"
	"autopilot/personas/openai"
)

// probed is what a small request came to.
type probed struct {
	Backend string  `json:"backend"`
	Model   string  `json:"model,omitempty"`
	Seconds float64 `json:"seconds"`
	personas.Usage
}

const (
	probePrompt = "Answer with the word ok and nothing else. Use no tools."
	// probeTime is how long a backend may take: the slowest programs need several seconds to start, and models that
	// run on the machine itself have to be loaded first.
	probeTime = 2 * time.Minute
	// probeTokens bounds an answer. It leaves room for a model that thinks before it says a word.
	probeTokens = 256
)

// probeTools are what models without tools are found out by.
var probeTools = []personas.Tool{{Name: "say", Description: "Says a word.", Parameters: json.RawMessage(
	`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`)}}

// probes sends a small request to each backend that is configured or would be used.
func probes(ctx context.Context, p *doctorInput) []diagnosis {
	staff := append(slices.Clone(p.personaBackends), p.spare(p.personaBackends)...)
	staff = slices.DeleteFunc(staff, func(s placed) bool { return s.name == "" }) // there is none, which was told above
	if len(staff) == 0 {
		return nil
	}
	var names []string
	for _, one := range staff {
		if p.untried(one) == "" {
			names = append(names, one.name)
		}
	}
	warning := "Sending one small request to: " + strings.Join(slices.Compact(names), ", ") + ". It uses a few tokens; an agent program with its own instructions uses some thousand."
	if len(names) > 0 {
		if _, err := fmt.Fprintln(p.host.Err, console.Told(warning, p.host.Columns())); err != nil {
			return nil
		}
	}
	var found []diagnosis
	for _, one := range staff {
		d := p.probe(ctx, one)
		if ctx.Err() != nil { // by a person, and no backend's fault
			break
		}
		if d.Status == "wrong" && len(one.plays) == 0 {
			d.Status, d.Detail = "note", d.Detail+"; no persona uses it"
		}
		found = append(found, d)
	}
	return found
}

// probe asks one backend.
func (p *doctorInput) probe(ctx context.Context, one placed) diagnosis {
	said := func(status, detail, remedy string) diagnosis {
		return diagnosis{Name: "probe", Status: status, Detail: one.name + ": " + detail, Remedy: remedy}
	}
	switch {
	case one.err != nil:
		message, remedy := one.failure()
		return said("wrong", "not asked: "+message, remedy)
	case one.described.Type == "manual":
		return said("note", "not asked: a person plays it", "")
	case one.described.Type == "replay":
		return said("note", "not asked: its turns are recorded", "")
	}
	if what := p.untried(one); what != "" {
		d := notTried("probe", what)
		d.Detail = one.name + ": " + d.Detail
		return d
	}
	if ill := p.illness(ctx, one); ill != nil {
		return said("wrong", "not asked: "+ill.Detail, ill.Remedy)
	}
	begun := time.Now()
	used, err := p.ask(ctx, one)
	took := time.Since(begun)
	if err != nil {
		status, message, remedy := p.trouble(one, err)
		return said(status, message, remedy)
	}
	d := said("ok", one.answer(used, took), "")
	p.answers[d] = &probed{Backend: one.name, Model: one.described.Model, Seconds: took.Round(time.Millisecond).Seconds(), Usage: used}
	return d
}

// illness is what was found to be wrong with a server; nil: nothing.
func (p *doctorInput) illness(ctx context.Context, one placed) *diagnosis {
	if one.described.Type != "openai" {
		return nil
	}
	found, looked := p.endpoints[one.id()]
	if !looked {
		found = p.endpoint(ctx, one)
	}
	if at := slices.IndexFunc(found, func(d diagnosis) bool { return d.Name == "endpoint" && d.Status == "wrong" }); at >= 0 {
		return &found[at]
	}
	return nil
}

// answered is a diagnosis with what there is to tell of its probe, for programs.
type answered struct {
	diagnosis
	Probe *probed `json:"probe,omitempty"`
}

// withAnswers adds to what was found what there is to tell of probes.
func (p *doctorInput) withAnswers(all []diagnosis) []answered {
	listed := make([]answered, len(all))
	for i, d := range all {
		listed[i] = answered{d, p.answers[d]}
	}
	return listed
}

// answer tells of an answer in one line.
func (p placed) answer(used personas.Usage, took time.Duration) string {
	text := fmt.Sprintf("answered in %.1f s", took.Seconds())
	if p.described.Model != "" {
		text = p.described.Model + " " + text
	}
	if used.InputTokens+used.OutputTokens > 0 {
		text += fmt.Sprintf(", %d tokens in and %d out", used.InputTokens, used.OutputTokens)
	}
	if used.CostUSD > 0 {
		text += fmt.Sprintf(", %.4f USD", used.CostUSD)
	}
	return text
}

func (p *doctorInput) askServer(ctx context.Context, one placed) (personas.Usage, error) {
	b := p.backends()
	options := b.Asking(b.Server(one.described), one.described)
	options.MaxTokens, options.Retries, options.Idle = probeTokens, -1, min(probeTime, p.cfg.Timeouts.Idle)
	model, err := openai.New(options)
	if err != nil {
		return personas.Usage{}, err
	}
	tools := probeTools
	if one.described.Tools == "text" {
		tools = nil
	}
	_, used, err := model.Turn(ctx, []personas.Message{{Role: personas.RoleUser, Content: probePrompt}}, tools)
	return used, err
}

// ask sends the request: to a server as a message, to a program as a dispatch of a persona that only reads. A limit is a
// *personas.LimitError, refused credentials a *personas.AuthError. A known program works in the repository, where its own settings are, if
// that is trusted: they can name programs too. Any other works in an empty one, since nobody knows what it makes of a prompt.
func (p *doctorInput) ask(ctx context.Context, one placed) (personas.Usage, error) {
	if one.described.Type == "openai" {
		return p.askServer(ctx, one)
	}
	dir := p.repo.Root()
	if b, ok := one.made.(*command.Backend); !ok || b.Preset() == nil || !p.trust {
		empty, err := os.MkdirTemp("", "autopilot-doctor-")
		if err != nil {
			return personas.Usage{}, err
		}
		defer os.RemoveAll(empty)
		if err := exec.CommandContext(ctx, "git", "init", "--quiet", empty).Run(); err != nil {
			return personas.Usage{}, fmt.Errorf("making an empty repository: %w", err)
		}
		dir = empty
	}
	out := filepath.Join(dir, ".harness", "out", "doctor-"+app.NewID())
	defer tidy(out)
	outcome, err := one.made.Dispatch(ctx, p.dispatch(dir, out))
	if err != nil {
		return outcome.Usage, err
	}
	return outcome.Usage, failed(outcome)
}

// dispatch is the small request as a program gets it.
func (p *doctorInput) dispatch(dir, out string) personas.Dispatch {
	reply := filepath.Join(out, "reply.json")
	return personas.Dispatch{
		ID: filepath.Base(out), Key: personas.Key{Persona: string(personas.Reviewer), Attempt: 1},
		Persona: personas.Persona{Name: personas.Reviewer, May: []string{personas.MayRead}},
		Prompt:  probePrompt + "\n", Dir: dir, OutDir: out, ReplyPath: reply, SessionDir: out,
		Env: map[string]string{
			"AUTOPILOT_PERSONA": string(personas.Reviewer), "AUTOPILOT_PURPOSE": "", "AUTOPILOT_REPLY": reply, "AUTOPILOT_ATTEMPT": "1", "AUTOPILOT_RIGOR": "fast", "AUTOPILOT_SESSION_DIR": out,
			"AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_TASK": "", "AUTOPILOT_SPEC": "", "AUTOPILOT_PLAN": "", "AUTOPILOT_BASE": "", "AUTOPILOT_SCRATCHPAD": "",
		},
		Timeout: min(probeTime, p.cfg.Timeouts.Dispatch),
	}
}

// tidy takes away the folder of a dispatch, and the ones around it that were made for it.
func tidy(out string) {
	_ = os.RemoveAll(out)
	for _, dir := range []string{filepath.Dir(out), filepath.Dir(filepath.Dir(out))} {
		_ = os.Remove(dir) // not where others are in it
	}
}

// failed is what an outcome has of an error. A request without a task needs no reply.
func failed(o personas.Outcome) error {
	switch o.Kind {
	case personas.GotReply, personas.NoReply:
		return nil
	case personas.RateLimited:
		return &personas.LimitError{Detail: o.Detail, Until: o.Until, UsedUp: o.UsedUp, Outage: o.Outage}
	case personas.Auth:
		return &personas.AuthError{Detail: o.Detail}
	}
	return &personas.EndError{Kind: o.Kind, Detail: o.Detail}
}

// trouble says in plain words why a backend did not answer, and what to do.
func (p *doctorInput) trouble(one placed, err error) (status, message, remedy string) {
	var limit *personas.LimitError
	var auth *personas.AuthError
	var end *personas.EndError
	switch {
	case errors.As(err, &limit) && limit.Outage != "":
		return "wrong", "did not answer: " + limit.Detail, "Wait until it is back, or name another backend: personas: {executor: {fallback: [NAME]}}"
	case errors.As(err, &limit) && limit.UsedUp && limit.Until.IsZero():
		return "wrong", "its quota or balance is used up: " + limit.Detail, usedUp
	case errors.As(err, &limit):
		message = "is limited now: " + limit.Detail
		if !limit.Until.IsZero() {
			message += ", until " + limit.Until.Local().Format("2006-01-02 15:04")
		}
		return "note", message, "Wait, or name another backend: personas: {executor: {fallback: [NAME]}}"
	case errors.As(err, &auth):
		return "wrong", "refuses the credentials: " + auth.Detail, p.credentials(one)
	case errors.As(err, &end):
		return "wrong", "did not answer: " + end.Detail, "Try it by hand, and look at what it says."
	}
	message, remedy, _ = strings.Cut(err.Error(), "; ")
	if one.described.Type == "openai" && one.described.Tools != "text" && openai.AboutTools(message) {
		return "wrong", message, "If the model has no tool calling, write tools: text in its backend."
	}
	if remedy != "" {
		remedy = strings.ToUpper(remedy[:1]) + remedy[1:] + "."
	}
	return "wrong", message, remedy
}

// credentials says where those of a backend come from.
func (p *doctorInput) credentials(one placed) string {
	if b, ok := one.made.(*command.Backend); ok {
		if remedy := b.Remedy(); remedy != "" {
			return remedy
		}
		return "Log in with the program itself."
	}
	return "Correct the key in " + p.backends().Server(one.described).Variable + ", or name another variable with api_key_env."
}
