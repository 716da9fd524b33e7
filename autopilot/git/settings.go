package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// setting is one value of git's configuration.
type setting struct {
	scope string // system, global, local, worktree or command
	key   string // as git names it: section and name in lower case
	value string
	set   bool // false: the key alone, which is true
}

// isUsers says whether a setting is for all repositories.
func (s setting) isUsers() bool { return s.scope == "system" || s.scope == "global" }

// includes says whether a setting leads to another file. What that holds is listed as well.
func (s setting) includes() bool {
	return strings.HasPrefix(s.key, "include.") || strings.HasPrefix(s.key, "includeif.")
}

// listSettings lists git's configuration, with what it includes, in the order in which later ones win.
func (r *Repo) listSettings(ctx context.Context) ([]setting, error) {
	out, err := r.read(ctx, "config", "-z", "--list", "--show-scope")
	if err != nil {
		return nil, fmt.Errorf("reading git's configuration: %w", err)
	}
	var list []setting
	for pair := range slices.Chunk(split(out, 0), 2) {
		if len(pair) == 2 {
			key, value, set := strings.Cut(pair[1], "\n")
			list = append(list, setting{scope: pair[0], key: key, value: value, set: set})
		}
	}
	return list, nil
}

// last is the setting of a key that wins.
func last(list []setting, key string) (setting, bool) {
	for _, s := range slices.Backward(list) {
		if s.key == key {
			return s, true
		}
	}
	return setting{}, false
}

// textOf is a file that holds these settings.
func textOf(list []setting) []byte {
	var text bytes.Buffer
	for _, s := range list {
		section, name, _ := strings.Cut(s.key, ".")
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			section, name = section+` "`+escaped.Replace(name[:i])+`"`, name[i+1:]
		}
		fmt.Fprintf(&text, "[%s]\n\t%s", section, name)
		if s.set {
			fmt.Fprintf(&text, ` = "%s"`, escaped.Replace(s.value))
		}
		text.WriteByte('\n')
	}
	return text.Bytes()
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`)
