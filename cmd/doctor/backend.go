package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/cmd/app"
	"autopilot/config"
	"autopilot/personas"
)

// placed is a backend with the personas that it plays.
type placed struct {
	name      string
	described config.Backend
	plays     []string // personas; what else it is for, in brackets
	made      personas.Backend
	err       error
}

// staff are the backends that a run would use, each with its model once, those that only take over behind them.
func (p *doctorInput) staff() ([]placed, error) {
	set, err := app.Personas(filepath.Join(p.repo.Root(), ".harness"))
	if err != nil {
		return nil, err
	}
	var staff []placed
	var fallbacks []string
	for _, name := range personas.Names() {
		backend, described, err := p.backends().Chosen(set.For(name, personas.Work))
		one := placed{name: backend, described: described, plays: []string{string(name)}, err: err}
		if at := slices.IndexFunc(staff, one.same); at >= 0 {
			staff[at].plays = append(staff[at].plays, string(name))
		} else {
			staff = append(staff, one)
		}
		fallbacks = append(fallbacks, p.cfg.Personas[string(name)].Fallback...)
	}
	for _, name := range fallbacks {
		one := p.named(name)
		one.plays = []string{"(takes over at a limit)"}
		if !slices.ContainsFunc(staff, one.same) {
			staff = append(staff, one)
		}
	}
	return p.make(staff), nil
}

// spare are the configured backends that none of the staff is.
func (p *doctorInput) spare(staff []placed) []placed {
	var spare []placed
	for _, name := range slices.Sorted(maps.Keys(p.cfg.Backends)) {
		if !slices.ContainsFunc(staff, func(s placed) bool { return s.name == name }) {
			spare = append(spare, p.named(name))
		}
	}
	return p.make(spare)
}

// named is a backend with the model that it has without a persona.
func (p *doctorInput) named(name string) placed {
	described, err := p.backends().Described(name)
	described.Model = cmp.Or(described.Model, p.cfg.Model)
	return placed{name: name, described: described, err: err}
}

func (p placed) same(other placed) bool {
	if p.err != nil || other.err != nil {
		return p.err != nil && other.err != nil && p.err.Error() == other.err.Error()
	}
	return p.id() == other.id()
}

// id tells a backend with its model from others.
func (p placed) id() string { return p.name + " " + p.described.Model + " " + p.described.Agent }

func (p *doctorInput) make(all []placed) []placed {
	for i := range all {
		if one := &all[i]; one.err == nil {
			one.made, one.err = p.backends().Make(one.name, one.described)
		}
	}
	return all
}

// backends are made once, and report nothing.
func (p *doctorInput) backends() *app.Backends {
	if p.known == nil {
		p.known = &app.Backends{Host: p.host, Root: p.repo.Root(), Cfg: p.cfg, Name: p.backend, Model: p.model}
	}
	return p.known
}

// backend looks at the backend of each persona without asking it anything that costs.
func backend(ctx context.Context, p *doctorInput) []diagnosis {
	staff, err := p.staff()
	if err != nil {
		return []diagnosis{{"personas", "wrong", err.Error(), "Correct the file in .harness/personas, or remove it."}}
	}
	p.personaBackends = staff
	var found []diagnosis
	used := map[string]bool{}
	for _, one := range staff {
		found = append(found, one.diagnosis())
		if one.err != nil {
			found = append(found, p.choices(ctx, one)...)
			continue
		}
		found = append(found, program(ctx, p, one, used)...)
		if one.described.Type == "openai" {
			p.endpoints[one.id()] = p.endpoint(ctx, one)
			found = append(found, p.endpoints[one.id()]...)
		}
	}
	return append(found, others(p.backends(), used)...)
}

// choices are the models of a server for which none is named.
func (p *doctorInput) choices(ctx context.Context, one placed) []diagnosis {
	if one.described.Type != "openai" || one.described.Model != "" {
		return nil
	}
	if s := p.backends().Server(one.described); s.Key == "" && s.NeedsKey {
		return nil
	}
	return p.endpoint(ctx, one)
}

// failure is why a backend cannot be used, and what to do.
func (p placed) failure() (message, remedy string) {
	message, remedy, _ = strings.Cut(p.err.Error(), "\n")
	return message, strings.ReplaceAll(remedy, "\n", " ")
}

// diagnosis says which personas a backend plays, or why it cannot.
func (p placed) diagnosis() diagnosis {
	who := strings.Join(p.plays, ", ")
	if p.err != nil {
		message, remedy := p.failure()
		return diagnosis{"backend", "wrong", who + ": " + message, remedy}
	}
	detail := fmt.Sprintf("%s plays the %s", p.name, who)
	if strings.HasPrefix(who, "(") {
		detail = p.name + " " + strings.Trim(who, "()")
	}
	if p.described.Model != "" {
		detail += ", with the model " + p.described.Model
	}
	return diagnosis{Name: "backend", Status: "ok", Detail: detail}
}
