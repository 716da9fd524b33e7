package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// Config is git's configuration: as it is, and as it was when the run began.
type Config struct {
	*runner
	configured sync.Mutex // guards settings
	settings   *settings  // nil until they are asked for: commands that only look at files do without
}

// readSettings asks git once.
func (r *Config) readSettings(ctx context.Context) (settings, error) {
	r.configured.Lock()
	defer r.configured.Unlock()
	if r.settings != nil {
		return *r.settings, nil
	}
	list, err := r.listSettings(ctx)
	s := settingsOf(list)
	if err == nil {
		r.settings = &s
	}
	return s, err
}

// RemoteURL is where a remote lies, as the configuration has it; "" where there is no such remote.
func (r *Config) RemoteURL(ctx context.Context, remote string) string {
	out, err := r.read(ctx, "config", "--get", "remote."+remote+".url")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// HooksPath is the folder that git takes hooks from where the user's configuration names one (core.hooksPath); a
// relative one is meant below the top folder of each working tree. "" is that none is named.
func (r *Config) HooksPath(ctx context.Context) string {
	out, err := r.read(ctx, "config", "-z", "--type=path", "--get-all", "core.hooksPath")
	values := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if err != nil || len(values) < 2 {
		return ""
	}
	return values[len(values)-2] // the last one is that of this call
}

// listSettings lists git's configuration, with what it includes, in the order in which later ones win.
func (r *Config) listSettings(ctx context.Context) ([]setting, error) {
	out, err := r.read(ctx, "config", "-z", "--list", "--show-scope", "--show-origin")
	if err != nil {
		return nil, fmt.Errorf("reading git's configuration: %w", err)
	}
	attributes, _ := plainfile.Read(filepath.Join(r.commonDir, "info", "attributes")) // most have none
	list := []setting{{key: infoAttributes, value: string(attributes)}}
	for one := range slices.Chunk(split(out, 0), 3) {
		if len(one) == 3 {
			file, _ := strings.CutPrefix(one[1], "file:")
			key, value, set := strings.Cut(one[2], "\n")
			list = append(list, setting{scope: one[0], file: file, key: key, value: value, set: set})
		}
	}
	return list, nil
}

// infoAttributes stands among the settings for the attributes that a repository has beside those of its files.
const infoAttributes = "info/attributes"

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

// Pin records git's configuration. From then on this Repo, and those of its other working trees, read what the user has
// configured for all repositories from a copy, and commit under the same name. A second call changes nothing.
func (r *Config) Pin(ctx context.Context) error {
	if r.pinned != nil {
		return nil
	}
	list, err := r.listSettings(ctx)
	if err != nil {
		return err
	}
	attributes, elsewhere, err := r.userAttributes(ctx, list)
	if err != nil {
		return err
	}
	p := &pinned{dir: filepath.Join(r.commonDir, "autopilot", "pinned"), temp: filepath.Join(r.gitDir, "autopilot"), copies: map[string][]byte{}}
	var users []setting
	for _, s := range list {
		if s.scope == "global" {
			p.files = append(p.files, s.file)
		}
		if rest, home := strings.CutPrefix(s.value, "~/"); home && (s.key == "core.attributesfile" || s.key == "core.excludesfile") {
			p.files = append(p.files, inHome(rest))
		}
		if s.isUsers() && !s.includes() {
			users = append(users, s)
		}
	}
	if !elsewhere {
		copied := filepath.Join(p.dir, p.add(attributes))
		users = append(users, setting{key: "core.attributesfile", value: filepath.ToSlash(copied), set: true})
	}
	slices.Sort(p.files)
	p.files, p.config = slices.Compact(p.files), p.add(textOf(users))
	r.pinned = p
	return r.Record(ctx)
}

// PinAs has this Repo read what another one reads, and leave what that one leaves.
func (r *Config) PinAs(other *Config) { r.pinned, r.keep = other.pinned, other.keep }

// Record records who commits, where a push goes and how files are converted, as the configuration has it now. After Pin it is
// needed only where that was put right since: an agent of a killed run may have changed it.
func (r *Config) Record(ctx context.Context) error {
	if r.pinned == nil {
		return nil
	}
	r.pinned.take(nil, nil) // else git would name the old identity again
	list, err := r.listSettings(ctx)
	if err != nil {
		return err
	}
	identity, err := r.identity(ctx, list)
	r.pinned.take(identity, list)
	return err
}

// changedSince says what became of some of the settings since they were recorded, but for those that a function leaves out; nil is
// none.
func (r *Config) changedSince(ctx context.Context, which *lazyregexp.Regexp, without func(key string, was map[string][]string) bool) ([]string, error) {
	if r.pinned == nil {
		return nil, nil
	}
	list, err := r.listSettings(ctx)
	if err != nil {
		return nil, err
	}
	r.pinned.mu.Lock()
	was, now := byKey(r.pinned.recorded, which), byKey(list, which)
	r.pinned.mu.Unlock()
	var changes []string
	all := maps.Clone(was)
	maps.Copy(all, now)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !slices.Equal(was[key], now[key]) && (without == nil || !without(key, was)) {
			changes = append(changes, withLogin.ReplaceAllString(changeOf(key, was[key], now[key]), "://…@"))
		}
	}
	return changes, nil
}

// isNewRemote says whether a key is of a remote that was not there, and that nothing here is pushed to.
func isNewRemote(key string, before map[string][]string) bool {
	section := key[:strings.LastIndexByte(key, '.')+1]
	if !strings.HasPrefix(section, "remote.") || section == "remote." || section == "remote.origin." {
		return false
	}
	for known := range before {
		if strings.HasPrefix(known, section) {
			return false
		}
	}
	return true
}

// userAttributes are the attributes that the user has for all repositories. The repository may name a file of its own
// in place of them.
func (r *Config) userAttributes(ctx context.Context, list []setting) (text []byte, elsewhere bool, err error) {
	path := configHome("attributes")
	if s, ok := last(list, "core.attributesfile"); ok {
		if !s.isUsers() {
			return nil, true, nil
		}
		out, err := r.read(ctx, "config", "--type=path", "--get", s.key)
		if err != nil {
			return nil, false, fmt.Errorf("reading core.attributesFile: %w", err)
		}
		if path = strings.TrimSuffix(string(out), "\n"); !filepath.IsAbs(path) {
			path = filepath.Join(r.root, path)
		}
	}
	text, err = plainfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) || plainfile.Unfit(err) { // git takes a device, or nothing, for an empty file
		err = nil
	}
	return text, false, err
}
