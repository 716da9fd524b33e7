package app

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/openai"
)

// keyEntry is a secret of the user's (a variable, or the log-in of a program), and where it goes: an address, or an MCP server.
func keyEntry(secret, to, file, of string) TrustEntry {
	return TrustEntry{Kind: TrustKey, What: secret + " → " + to, File: file, When: whileAgents, secret: secret, to: to, of: of}
}

// whileAgents is when a backend is used.
const whileAgents = "at each agent run"

// configured returns what runs and is reached because a file of the repository configures it: for the personas' backends, for others,
// and for all of them.
func (b *Backends) configured(all []personas.Persona, others ...string) []TrustEntry {
	var entries []TrustEntry
	for _, p := range all {
		names, err := b.names(p)
		if err != nil || b.Replay != "" {
			continue // whoever looks for the backend says what is wrong
		}
		others = append(others, names...)
	}
	for _, name := range others {
		name, _, _ = strings.Cut(name, withModel)
		if described, err := b.Described(name); err == nil {
			entries = append(entries, b.EntriesOf(name, described)...)
		}
	}
	return b.Strange(append(entries, b.shared()...))
}

// Strange drops what needs no yes: what no file of the repository says, what a known server gets
// as its own, and what the user's own configuration says as well.
func (b *Backends) Strange(entries []TrustEntry) []TrustEntry {
	entries = slices.DeleteFunc(entries, func(e TrustEntry) bool { return e.File == "" || b.isServersOwn(e) })
	if len(entries) == 0 {
		return nil
	}
	users := b.users()
	seen := map[string]bool{}
	return slices.DeleteFunc(entries, func(e TrustEntry) bool {
		again := seen[e.id()]
		seen[e.id()] = true
		return again || users[e.id()]
	})
}

// users are the entries of the user's own configuration file.
func (b *Backends) users() map[string]bool {
	ids := map[string]bool{}
	dir, err := config.UserDir(b.Host.Environ)
	if err != nil || b.Host.NoUserConfig {
		return ids
	}
	cfg, _, err := config.Load(config.Options{UserDir: dir})
	if err != nil {
		return ids // it may be whole only together with the repository's
	}
	own := &Backends{Host: b.Host, Root: b.Root, Cfg: cfg}
	entries := own.shared()
	for name, described := range cfg.Backends {
		entries = append(entries, own.EntriesOf(name, described)...)
	}
	for _, e := range entries {
		ids[e.id()] = true
	}
	return ids
}

// EntriesOf returns what a backend sends, runs and reaches.
func (b *Backends) EntriesOf(name string, described config.Backend) []TrustEntry {
	at := func(keys ...string) string { return b.Place([]string{"backends", name}, keys...) }
	entries := b.keysSent(name, described)
	address := ShownAddress(described.BaseURL)
	if described.BaseURL != "" && !slices.ContainsFunc(entries, func(e TrustEntry) bool { return e.to == address }) {
		entries = append(entries, TrustEntry{Kind: TrustAddress, What: address, File: at("base_url"), When: whileAgents, to: address, of: name})
	}
	if described.Type != "openai" {
		e := TrustEntry{Kind: TrustProgram, What: shownProgram(described), File: at("command", "env"), When: whileAgents, of: name}
		e.Blob = blobOf(b.Root, described.Command)
		entries = append(entries, e)
	}
	if len(described.Interactive) > 0 {
		e := TrustEntry{Kind: TrustProgram, What: strings.Join(described.Interactive, " "), File: at("interactive"), When: "in plan --interactive", of: name}
		e.Blob = blobOf(b.Root, described.Interactive)
		entries = append(entries, e)
	}
	return entries
}

// shownProgram is a program with its arguments and variables, as a shell takes them.
func shownProgram(described config.Backend) string {
	var words []string
	for _, variable := range slices.Sorted(maps.Keys(described.Env)) {
		words = append(words, variable+"="+shell.QuoteWord(described.Env[variable]))
	}
	return strings.Join(append(words, cmp.Or(strings.Join(described.Command, " "), described.Preset)), " ")
}

// keysSent returns the keys that a backend sends, each with its address.
func (b *Backends) keysSent(name string, described config.Backend) []TrustEntry {
	file := b.Place([]string{"backends", name}, "base_url", "api_key_env", "preset", "env", "command")
	if described.Type == "openai" {
		if s := b.Server(described); s.Key != "" {
			return []TrustEntry{keyEntry(s.Variable, ShownAddress(s.At()), file, name)}
		}
		return nil
	}
	if described.Preset == "" {
		return nil // a program of which nothing is known gets the user's whole environment
	}
	var keys []TrustEntry
	texts := append([]string{described.BaseURL}, described.Command...)
	for _, variable := range slices.Sorted(maps.Keys(described.Env)) {
		texts = append(texts, described.Env[variable])
	}
	for _, address := range addresses.FindAllString(strings.Join(texts, "\n"), -1) {
		keys = append(keys, keyEntry(cmp.Or(described.APIKeyEnv, "the log-in of "+described.Preset), ShownAddress(address), file, name))
	}
	return keys
}

// shared returns what is configured for every backend: MCP servers with the secrets that they get by name, validation commands,
// the setup of working trees, notices.
func (b *Backends) shared() []TrustEntry {
	var entries []TrustEntry
	for _, name := range slices.Sorted(maps.Keys(b.Cfg.MCP.Servers)) {
		s := b.Cfg.MCP.Servers[name]
		shown, file := "MCP server "+name+": "+strings.Join(s.Command, " "), b.Place([]string{"mcp", "servers", name}, "command", "env")
		for _, variable := range s.Env {
			if b.Host.Getenv(variable) != "" {
				entries = append(entries, keyEntry(variable, shown, file, ""))
			}
		}
		entries = append(entries, TrustEntry{Kind: TrustMCP, What: shown, File: file, When: whileAgents, Blob: blobOf(b.Root, s.Command)})
	}
	for _, c := range b.Cfg.Validate.Commands.List {
		entries = append(entries, TrustEntry{Kind: TrustValidation, What: inFolder(c.Command, c.Dir), File: b.Place([]string{"validate"}, "commands"), When: afterTasks})
	}
	if setup := b.Cfg.Worktree.Setup; setup != "" {
		entries = append(entries, TrustEntry{Kind: TrustSetup, What: setup, File: b.Place([]string{"worktree"}, "setup"), When: "in each new working tree"})
	}
	return append(entries, b.notices()...)
}

// notices returns who is told what happens to a session.
func (b *Backends) notices() (entries []TrustEntry) {
	entry := func(what, key string) TrustEntry {
		return TrustEntry{Kind: TrustNotice, What: what, File: b.Place([]string{"notify"}, key), When: "at each notice"}
	}
	if argv := b.Cfg.Notify.Command; len(argv) > 0 {
		e := entry(strings.Join(argv, " "), "command")
		e.Blob = blobOf(b.Root, argv)
		entries = append(entries, e)
	}
	for _, w := range b.Cfg.Notify.Webhooks {
		what := w.Place()
		if w.SecretEnv != "" {
			what += ", signed by $" + w.SecretEnv
		}
		entries = append(entries, entry(what, "webhooks"))
	}
	if b.Cfg.Notify.Detail {
		entries = append(entries, entry("agents' words in notices", "detail"))
	}
	return entries
}

// Place is where a file of the repository sets the first of some keys of a group; "": it sets none.
func (b *Backends) Place(group []string, keys ...string) string {
	for _, key := range keys {
		if origin, ok := b.Cfg.FromRepository(append(slices.Clone(group), key)...); ok {
			return origin.String()
		}
	}
	return ""
}

// isServersOwn says whether a known server gets its own key, or none, at its own address or at the one that the environment
// names.
func (b *Backends) isServersOwn(e TrustEntry) bool {
	return slices.ContainsFunc(openai.Presets(), func(name string) bool {
		p, _ := openai.PresetOf(name)
		return (e.Kind == TrustAddress || slices.Contains(p.KeyEnv, e.secret)) && (sameServer(e.to, p.BaseURL) || e.to == ShownAddress(p.Address(b.Host.Getenv)))
	})
}

// addresses are those in the arguments and variables of a program.
var addresses = lazyregexp.New(`(?i)https?://[^\s"'<>{}]+`)

// ShownAddress is an address as people see it: without a user, and with letters that could be taken for others escaped.
func ShownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return strconv.QuoteToASCII(address)
	}
	u.User, u.Host = nil, strings.ToLower(u.Host)
	return strings.TrimRight(u.String(), "/")
}

// sameServer says whether two addresses differ at most in their paths.
func sameServer(one, other string) bool {
	a, err := url.Parse(one)
	if err != nil {
		return false
	}
	b, err := url.Parse(other)
	return err == nil && b.Host != "" && a.Scheme == b.Scheme && a.Host == b.Host
}
