package app

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

// SentKey is a secret of the user's, and where it goes.
type SentKey struct {
	secret string // the variable that holds it, or the log-in of a program
	to     string // an address, or the command of an MCP server
	File   string // the place in a file of the repository that says so; "": the user says so, or nobody has to
}

// What is the pair as people see it, and as it is remembered.
func (k SentKey) What() string { return k.secret + " → " + k.to }

// strangeKeys returns the keys that the personas' backends and MCP servers get because a file of the repository says so.
func (b *Backends) strangeKeys(all []personas.Persona) []SentKey {
	keys := b.KeysOfServers()
	for _, p := range all {
		names, err := b.names(p)
		if err != nil || b.Replay != "" {
			continue // whoever looks for the backend says what is wrong
		}
		for _, name := range names {
			name, _, _ = strings.Cut(name, withModel)
			if described, err := b.Described(name); err == nil {
				keys = append(keys, b.KeysSent(name, described)...)
			}
		}
	}
	return b.Strange(keys)
}

// Strange drops what needs no yes: what no file of the repository says, what stays on this machine, what a known server gets
// as its own, and what the user's own configuration says as well.
func (b *Backends) Strange(keys []SentKey) []SentKey {
	keys = slices.DeleteFunc(keys, func(k SentKey) bool { return k.File == "" || IsLoopback(k.to) || b.isServersOwn(k) })
	if len(keys) == 0 {
		return nil
	}
	users := b.usersKeys()
	seen := map[string]bool{}
	return slices.DeleteFunc(keys, func(k SentKey) bool {
		again := seen[k.What()]
		seen[k.What()] = true
		return again || users[k.What()]
	})
}

// usersKeys are the pairs in the user's own configuration file.
func (b *Backends) usersKeys() map[string]bool {
	pairs := map[string]bool{}
	dir, err := config.UserDir(b.Host.Environ)
	if err != nil || b.Host.NoUserConfig {
		return pairs
	}
	cfg, _, err := config.Load(config.Options{UserDir: dir})
	if err != nil {
		return pairs // it may be whole only together with the repository's
	}
	own := &Backends{Host: b.Host, Root: b.Root, Cfg: cfg}
	keys := own.KeysOfServers()
	for name, described := range cfg.Backends {
		keys = append(keys, own.KeysSent(name, described)...)
	}
	for _, k := range keys {
		pairs[k.What()] = true
	}
	return pairs
}

// KeysSent returns the keys that a backend sends, each with its address.
func (b *Backends) KeysSent(name string, described config.Backend) []SentKey {
	file := b.Place([]string{"backends", name}, "base_url", "api_key_env", "preset", "env", "command")
	if described.Type == "openai" {
		if s := b.Server(described); s.Key != "" {
			return []SentKey{{s.Variable, ShownAddress(s.At()), file}}
		}
		return nil
	}
	if described.Preset == "" {
		return nil // a program of which nothing is known gets the user's whole environment
	}
	var keys []SentKey
	texts := append([]string{described.BaseURL}, described.Command...)
	for _, variable := range slices.Sorted(maps.Keys(described.Env)) {
		texts = append(texts, described.Env[variable])
	}
	for _, address := range addresses.FindAllString(strings.Join(texts, "\n"), -1) {
		keys = append(keys, SentKey{cmp.Or(described.APIKeyEnv, "the log-in of "+described.Preset), ShownAddress(address), file})
	}
	return keys
}

// KeysOfServers returns the secrets that MCP servers get by name.
func (b *Backends) KeysOfServers() []SentKey {
	var keys []SentKey
	for _, name := range slices.Sorted(maps.Keys(b.Cfg.MCP.Servers)) {
		s := b.Cfg.MCP.Servers[name]
		for _, variable := range s.Env {
			if b.Host.Getenv(variable) != "" {
				keys = append(keys, SentKey{variable, ShownServer(name, s), b.Place([]string{"mcp", "servers", name}, "command", "env")})
			}
		}
	}
	return keys
}

// ShownServer is an MCP server as people see it.
func ShownServer(name string, s config.MCPServer) string {
	return "MCP server " + name + ": " + strings.Join(s.Command, " ")
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

// isServersOwn says whether a known server gets its own key, at its own address or at the one that the environment names.
func (b *Backends) isServersOwn(k SentKey) bool {
	return slices.ContainsFunc(openai.Presets(), func(name string) bool {
		p, _ := openai.PresetOf(name)
		return slices.Contains(p.KeyEnv, k.secret) && (sameServer(k.to, p.BaseURL) || k.to == ShownAddress(p.Address(b.Host.Getenv)))
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

// IsLoopback says whether an address is of this machine.
func IsLoopback(address string) bool {
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
