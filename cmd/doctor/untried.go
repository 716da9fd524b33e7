package doctor

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"autopilot/cmd/app"
	"autopilot/config"
)

// trust shows what this repository's own files run and reach and the user did not agree to yet. With --trust that is remembered;
// before a probe a person at the terminal is asked.
func trust(ctx context.Context, p *doctorInput) []diagnosis {
	b := p.backends()
	list, err := b.TrustList(ctx, p.repo)
	for _, name := range slices.Sorted(maps.Keys(p.cfg.Backends)) {
		list = append(list, b.Strange(b.EntriesOf(name, p.cfg.Backends[name]))...)
	}
	p.waiting = list
	if err != nil || p.host.Trusts {
		return nil // what is wrong with the personas is told with the backends
	}
	f, err := app.OpenTrust(p.host, p.repo)
	if err != nil {
		message, remedy, _ := strings.Cut(err.Error(), "\n")
		return []diagnosis{{"trust", "wrong", message, remedy}}
	}
	waiting := f.Unanswered(list)
	p.waiting = waiting
	if len(waiting) == 0 {
		return nil
	}
	if !p.trust && !p.agrees(ctx) {
		return shown(waiting, "note", "not agreed to yet: ")
	}
	p.waiting = nil
	if err := f.Keep(waiting, p.host.Now()); err != nil {
		return []diagnosis{{"trust", "note", "your yes could not be saved: " + err.Error(), ""}}
	}
	return shown(waiting, "ok", "remembered: ")
}

// agrees asks a person before probes.
func (p *doctorInput) agrees(ctx context.Context) bool {
	if !p.doctorOptions.probe {
		return false
	}
	asking := app.RunFlags{Host: p.host, JSON: p.json}
	yes, err := asking.Human().Confirm(ctx, app.TrustQuestion(p.waiting))
	return yes && err == nil
}

// shown tells of entries, each in a line.
func shown(entries []app.TrustEntry, status, how string) []diagnosis {
	var found []diagnosis
	seen := map[string]bool{}
	for _, e := range entries {
		line := how + e.What + " (" + e.File + ")"
		if !seen[line] {
			found = append(found, diagnosis{Name: "trust", Status: status, Detail: line})
		}
		seen[line] = true
	}
	if status != "ok" {
		found[len(found)-1].Remedy = "A run asks first. To agree now: autopilot trust"
	}
	return found
}

// notTried shows something that only --trust tries.
func notTried(name, what string) diagnosis {
	return diagnosis{Name: name, Status: "note", Detail: what + " (not tried: from this repository's " + config.ProjectFile + "; --trust agrees and tries it)"}
}

// untried is what keeps a backend from being asked: what it would run or reach, and the user did not agree to; "": nothing.
func (p *doctorInput) untried(one placed) string {
	return cmp.Or(p.strangeAddress(one), p.strangeProgram(one), p.strangeServer(one))
}

// endpoint asks a backend's server, unless a file of the repository says where it is.
func (p *doctorInput) endpoint(ctx context.Context, one placed) []diagnosis {
	if what := p.strangeAddress(one); what != "" {
		return []diagnosis{notTried("endpoint", what)}
	}
	return endpoint(ctx, p.backends(), one.described)
}

// strangeAddress is what a backend would reach, with the key that would go there.
func (p *doctorInput) strangeAddress(one placed) string {
	return p.waitsFor(one.name, app.TrustKey, app.TrustAddress)
}

// strangeProgram is the program of a backend.
func (p *doctorInput) strangeProgram(one placed) string {
	return p.waitsFor(one.name, app.TrustProgram)
}

// strangeServer is an MCP server that a backend's program would start.
func (p *doctorInput) strangeServer(one placed) string {
	if one.described.Type == "openai" {
		return ""
	}
	return p.waitsFor("", app.TrustMCP)
}

// waitsFor is the first entry of some kinds, of a backend, that the user did not agree to; "": none.
func (p *doctorInput) waitsFor(backend string, kinds ...string) string {
	for _, e := range p.waiting {
		if !p.trust && e.Concerns(backend) && slices.Contains(kinds, e.Kind) {
			return e.What
		}
	}
	return ""
}

// folder is where known programs are started: the repository, if that is trusted, since their settings there can name further
// programs; else an empty folder.
func (p *doctorInput) folder() (string, error) {
	if p.trust {
		return p.repo.Root(), nil
	}
	if p.away != "" {
		return p.away, nil
	}
	var err error
	p.away, err = os.MkdirTemp("", "autopilot-doctor-")
	return p.away, err
}

// tidyAway removes the empty folder.
func (p *doctorInput) tidyAway() {
	_ = os.RemoveAll(p.away) // "" is none
}
