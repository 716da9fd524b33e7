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

// trust reads which keys the user lets go where this repository's files say. With --trust that is all of them.
func trust(_ context.Context, p *doctorInput) []diagnosis {
	f, err := app.OpenTrust(p.host, p.repo)
	if err != nil {
		message, remedy, _ := strings.Cut(err.Error(), "\n")
		return []diagnosis{{"trust", "wrong", message, remedy}}
	}
	p.trusts = f
	if !p.trust {
		return nil
	}
	b := p.backends()
	keys := b.KeysOfServers()
	for _, name := range slices.Sorted(maps.Keys(p.cfg.Backends)) {
		keys = append(keys, b.KeysSent(name, p.cfg.Backends[name])...)
	}
	if keys = f.Unanswered(b.Strange(keys)); len(keys) == 0 {
		return nil
	}
	if err := f.Keep(keys, p.host.Now()); err != nil {
		return []diagnosis{{"trust", "note", "your yes could not be saved: " + err.Error(), ""}}
	}
	var found []diagnosis
	for _, k := range keys {
		found = append(found, diagnosis{Name: "trust", Status: "ok", Detail: "remembered: " + k.What() + " (" + k.File + ")"})
	}
	return found
}

// notTried shows something that only --trust tries.
func notTried(name, what string) diagnosis {
	return diagnosis{Name: name, Status: "note", Detail: what + " (not tried: from this repository's " + config.ProjectFile + "; --trust tries it)"}
}

// untried is what keeps a backend from being asked; "": nothing.
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

// strangeAddress is what a backend would reach because a file of the repository says so, with the key that would go there;
// "": nothing that the user did not agree to.
func (p *doctorInput) strangeAddress(one placed) string {
	if p.trust {
		return ""
	}
	b := p.backends()
	sent := b.KeysSent(one.name, one.described)
	keys := b.Strange(slices.Clone(sent))
	if p.trusts != nil {
		keys = p.trusts.Unanswered(keys)
	}
	switch address := one.described.BaseURL; {
	case len(keys) > 0:
		return keys[0].What()
	case len(sent) == 0 && b.Place([]string{"backends", one.name}, "base_url") != "" && !app.IsLoopback(address):
		return app.ShownAddress(address)
	}
	return ""
}

// strangeProgram is the program of a backend that a file of the repository names, or gives variables to; "": none.
func (p *doctorInput) strangeProgram(one placed) string {
	if p.trust || p.backends().Place([]string{"backends", one.name}, "command", "env") == "" {
		return ""
	}
	return cmp.Or(strings.Join(one.described.Command, " "), one.described.Preset)
}

// strangeServer is an MCP server that a backend's program would start because a file of the repository says so; "": none.
func (p *doctorInput) strangeServer(one placed) string {
	if p.trust || one.described.Type == "openai" {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(p.cfg.MCP.Servers)) {
		if p.backends().Place([]string{"mcp", "servers", name}, "command", "env") != "" {
			return app.ShownServer(name, p.cfg.MCP.Servers[name])
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
