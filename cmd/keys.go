package cmd

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/openai"
)

// sentKey is a secret of the user's, and where it goes.
type sentKey struct {
	secret string // the variable that holds it, or the log-in of a program
	to     string // an address, or the command of an MCP server
	file   string // the place in a file of the repository that says so; "": the user says so, or nobody has to
}

// what is the pair as people see it, and as it is remembered.
func (k sentKey) what() string { return k.secret + " → " + k.to }

// strangeKeys returns the keys that the personas' backends and MCP servers get because a file of the repository says so.
func (b *backends) strangeKeys(all []personas.Persona) []sentKey {
	keys := b.keysOfServers()
	for _, p := range all {
		names, err := b.names(p)
		if err != nil || b.replay != "" {
			continue // whoever looks for the backend says what is wrong
		}
		for _, name := range names {
			name, _, _ = strings.Cut(name, withModel)
			if described, err := b.described(name); err == nil {
				keys = append(keys, b.keysSent(name, described)...)
			}
		}
	}
	return b.strange(keys)
}

// strange drops what needs no yes: what no file of the repository says, what stays on this machine, what a known server gets
// as its own, and what the user's own configuration says as well.
func (b *backends) strange(keys []sentKey) []sentKey {
	keys = slices.DeleteFunc(keys, func(k sentKey) bool { return k.file == "" || isLoopback(k.to) || b.isServersOwn(k) })
	if len(keys) == 0 {
		return nil
	}
	users := b.usersKeys()
	seen := map[string]bool{}
	return slices.DeleteFunc(keys, func(k sentKey) bool {
		again := seen[k.what()]
		seen[k.what()] = true
		return again || users[k.what()]
	})
}

// usersKeys are the pairs in the user's own configuration file.
func (b *backends) usersKeys() map[string]bool {
	pairs := map[string]bool{}
	dir, err := config.UserDir(b.host.Environ)
	if err != nil || b.host.NoUserConfig {
		return pairs
	}
	cfg, _, err := config.Load(config.Options{UserDir: dir})
	if err != nil {
		return pairs // it may be whole only together with the repository's
	}
	own := &backends{host: b.host, root: b.root, cfg: cfg}
	keys := own.keysOfServers()
	for name, described := range cfg.Backends {
		keys = append(keys, own.keysSent(name, described)...)
	}
	for _, k := range keys {
		pairs[k.what()] = true
	}
	return pairs
}

// keysSent returns the keys that a backend sends, each with its address.
func (b *backends) keysSent(name string, described config.Backend) []sentKey {
	file := b.place([]string{"backends", name}, "base_url", "api_key_env", "preset", "env", "command")
	if described.Type == "openai" {
		if s := b.server(described); s.key != "" {
			return []sentKey{{s.variable, shownAddress(s.at()), file}}
		}
		return nil
	}
	if described.Preset == "" {
		return nil // a program of which nothing is known gets the user's whole environment
	}
	var keys []sentKey
	texts := append([]string{described.BaseURL}, described.Command...)
	for _, variable := range slices.Sorted(maps.Keys(described.Env)) {
		texts = append(texts, described.Env[variable])
	}
	for _, address := range addresses.FindAllString(strings.Join(texts, "\n"), -1) {
		keys = append(keys, sentKey{cmp.Or(described.APIKeyEnv, "the log-in of "+described.Preset), shownAddress(address), file})
	}
	return keys
}

// keysOfServers returns the secrets that MCP servers get by name.
func (b *backends) keysOfServers() []sentKey {
	var keys []sentKey
	for _, name := range slices.Sorted(maps.Keys(b.cfg.MCP.Servers)) {
		s := b.cfg.MCP.Servers[name]
		for _, variable := range s.Env {
			if b.host.Getenv(variable) != "" {
				keys = append(keys, sentKey{variable, shownServer(name, s), b.place([]string{"mcp", "servers", name}, "command", "env")})
			}
		}
	}
	return keys
}

// shownServer is an MCP server as people see it.
func shownServer(name string, s config.MCPServer) string {
	return "MCP server " + name + ": " + strings.Join(s.Command, " ")
}

// place is where a file of the repository sets the first of some keys of a group; "": it sets none.
func (b *backends) place(group []string, keys ...string) string {
	for _, key := range keys {
		if origin, ok := b.cfg.FromRepository(append(slices.Clone(group), key)...); ok {
			return origin.String()
		}
	}
	return ""
}

// isServersOwn says whether a known server gets its own key, at its own address or at the one that the environment names.
func (b *backends) isServersOwn(k sentKey) bool {
	return slices.ContainsFunc(openai.Presets(), func(name string) bool {
		p, _ := openai.PresetOf(name)
		return slices.Contains(p.KeyEnv, k.secret) && (sameServer(k.to, p.BaseURL) || k.to == shownAddress(p.Address(b.host.Getenv)))
	})
}

// addresses are those in the arguments and variables of a program.
var addresses = lazyregexp.New(`(?i)https?://[^\s"'<>{}]+`)

// shownAddress is an address as people see it: without a user, and with letters that could be taken for others escaped.
func shownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return strconv.QuoteToASCII(address)
	}
	u.User, u.Host = nil, strings.ToLower(u.Host)
	return strings.TrimRight(u.String(), "/")
}

// isLoopback says whether an address is of this machine.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(u.Hostname(), "localhost")
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
