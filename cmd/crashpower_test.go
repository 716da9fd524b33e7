//go:build crash && linux

package cmd_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"autopilot/sessions"
)

// powerDisk is what is known, after each call, of the files that decide about a session: what they hold, and what of it
// would be there after a power cut. By POSIX that is a file's bytes at its last fsync, and a name at the last fsync of its
// folder.
type powerDisk struct {
	root    string            // of the repository, whose own name is safe
	session string            // the folder of the session
	names   map[string]*inode // by path from the root
	durable map[string]*inode
	pending []change
	wrote   int // the last revision that was written to the journal
	acked   int // the last one that something was done after
}

// inode is a file, or with dir a folder.
type inode struct {
	dir          bool
	data, synced []byte
}

// change is what one call did to names; nil removes one. A rename is one change of two names.
type change map[string]*inode

// disk is what a power cut could leave: the bytes of the files that decide, by name.
type disk map[string][]byte

// storeFiles are the names of the files that decide, and of what stands beside them while they are replaced.
var storeFiles = regexp.MustCompile(`^(events\.jsonl|autopilot-state\.json(\.bak)?(\.tmp)?)$`)

// newPowerDisk begins with what lies in a repository, all of it safe.
func newPowerDisk(t *testing.T, repo, session string) *powerDisk {
	t.Helper()
	d := &powerDisk{root: repo, session: session, names: map[string]*inode{}}
	walk(t, session, func(name string) {
		if !storeFiles.MatchString(name) {
			return
		}
		data, err := os.ReadFile(filepath.Join(session, name))
		if err != nil {
			t.Fatal(err)
		}
		d.names[d.rel(filepath.Join(session, name))] = &inode{data: data, synced: data}
		if name == "events.jsonl" {
			d.wrote = bytes.Count(data, []byte{'\n'})
			d.acked = d.wrote
		}
	})
	for dir := session; len(d.names) > 0 && dir != repo; dir = filepath.Dir(dir) {
		d.names[d.rel(dir)] = &inode{dir: true}
	}
	d.durable = maps.Clone(d.names)
	return d
}

func (d *powerDisk) rel(path string) string {
	rel, err := filepath.Rel(d.root, path)
	if err != nil {
		return path
	}
	return rel
}

// knows says whether a path is one of those that decide, or a folder above them.
func (d *powerDisk) knows(path string) bool {
	return d.knowsFile(path) || strings.HasPrefix(d.session+"/", path+"/") && strings.HasPrefix(path, d.root+"/")
}

// see takes over what a call did.
func (d *powerDisk) see(c call) {
	if c.child() && c.changes() || c.name == "write" && len(c.paths) > 0 && strings.HasPrefix(c.paths[0], "pipe:") {
		d.acked = d.wrote // whoever hears of it relies on it
	}
	if c.failed || !c.done || len(c.paths) == 0 {
		return
	}
	if (c.name == "fsync" || c.name == "fdatasync") && !d.knowsFile(c.paths[0]) {
		d.syncFolder(d.rel(c.paths[0]))
		return
	}
	if !d.knows(c.paths[len(c.paths)-1]) && !d.knows(c.paths[0]) {
		return
	}
	path := d.rel(c.paths[0])
	node := d.names[path]
	switch c.name {
	case "mkdirat":
		d.change(change{path: {dir: true}})
	case "openat":
		d.open(path, c.flags)
	case "unlinkat":
		d.change(change{path: nil})
	case "renameat", "renameat2":
		if to := d.rel(c.paths[1]); d.names[to] != node {
			d.change(change{path: nil, to: node})
		}
	case "linkat":
		d.change(change{d.rel(c.paths[1]): node})
	case "fsync", "fdatasync":
		node.synced = node.data
	case "ftruncate":
		node.data = node.data[:c.at:c.at]
	case "write":
		node.data = slices.Concat(node.data, c.data)
	case "pwrite64":
		d.journal(path, c.data)
		node.data = slices.Concat(node.data[:c.at], c.data)
	}
}

func (d *powerDisk) knowsFile(path string) bool {
	return filepath.Dir(path) == d.session && storeFiles.MatchString(filepath.Base(path))
}

func (d *powerDisk) open(path, flags string) {
	node := d.names[path]
	switch {
	case node == nil && strings.Contains(flags, "O_CREAT"):
		d.change(change{path: {}})
	case node != nil && strings.Contains(flags, "O_TRUNC"):
		node.data = nil
	}
}

var revision = regexp.MustCompile(`^\{"rev":(\d+)`)

// journal takes note of a line of the journal. That the next one is written shows that the one before was relied on.
func (d *powerDisk) journal(path string, line []byte) {
	if m := revision.FindSubmatch(line); m != nil && filepath.Base(path) == "events.jsonl" {
		d.acked = d.wrote
		d.wrote, _ = strconv.Atoi(string(m[1])) // digits
	}
}

func (d *powerDisk) change(c change) {
	d.pending = append(d.pending, c)
	c.on(d.names)
}

func (c change) on(names map[string]*inode) {
	for path, node := range c {
		if names[path] = node; node == nil {
			delete(names, path)
		}
	}
}

// syncFolder makes the names in a folder safe.
func (d *powerDisk) syncFolder(dir string) {
	var rest []change
	for _, c := range d.pending {
		in := func(path string, _ *inode) bool { return filepath.Dir(path) != dir }
		safe := maps.Clone(c)
		maps.DeleteFunc(safe, in)
		safe.on(d.durable)
		left := maps.Clone(c)
		maps.DeleteFunc(left, func(path string, n *inode) bool { return !in(path, n) })
		if len(left) > 0 {
			rest = append(rest, left)
		}
	}
	d.pending = rest
}

// cuts are the disks that a power cut could leave now: of the changes of names that are not safe each first part, and each
// one missing; of bytes that are not safe none, all, half, or zeros. Those that seen has already are left out.
func (d *powerDisk) cuts(seen map[[sha256.Size]byte]bool) []disk {
	var disks []disk
	for i := range len(d.pending) + 1 {
		orders := [][]change{d.pending[:i]}
		if i < len(d.pending) {
			orders = append(orders, slices.Concat(d.pending[:i], d.pending[i+1:]))
		}
		for _, order := range orders {
			names := maps.Clone(d.durable)
			for _, c := range order {
				c.on(names)
			}
			for _, left := range []func(*inode) []byte{lostBytes, keptBytes, halfBytes, zeroBytes} {
				cut := d.files(names, left)
				if key := cut.key(d.acked, d.wrote); !seen[key] {
					seen[key] = true
					disks = append(disks, cut)
				}
			}
		}
	}
	return disks
}

// files are what is under the names whose folders are all there.
func (d *powerDisk) files(names map[string]*inode, left func(*inode) []byte) disk {
	cut := disk{}
	for dir := d.rel(d.session); dir != "."; dir = filepath.Dir(dir) {
		if names[dir] == nil {
			return cut
		}
	}
	for path, node := range names {
		if !node.dir {
			cut[filepath.Base(path)] = left(node)
		}
	}
	return cut
}

func lostBytes(n *inode) []byte { return n.synced }
func keptBytes(n *inode) []byte { return n.data }
func halfBytes(n *inode) []byte { return n.data[:min(len(n.data), (len(n.data)+len(n.synced))/2)] }

func zeroBytes(n *inode) []byte {
	safe := min(len(n.synced), len(n.data))
	return append(slices.Clone(n.data[:safe]), make([]byte, len(n.data)-safe)...)
}

func (d disk) key(numbers ...int) [sha256.Size]byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(d)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(d[name]), d[name])
	}
	fmt.Fprint(h, numbers)
	return [sha256.Size]byte(h.Sum(nil))
}

// put writes the disk's files into a session's folder, in place of those that are there.
func (d disk) put(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if storeFiles.MatchString(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	if len(d) == 0 {
		return nil
	}
	err = os.MkdirAll(dir, 0o755)
	for name, data := range d {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	return err
}

// recovered takes up the session that a power cut left: what was relied on is there, the snapshot is a good one, and
// nothing is left over.
func (d disk) recovered(dir string, acked, wrote int) string {
	if err := d.put(dir); err != nil {
		return err.Error()
	}
	if _, there := d["autopilot-state.json"]; !there && acked > 1 {
		return "there is no snapshot"
	}
	s, err := sessions.Open(dir, sessions.Options{Now: time.Now})
	if errors.Is(err, sessions.ErrNoSession) && acked == 0 {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	defer s.Close()
	if at := int(s.State().Revision); at < acked || at > wrote {
		return fmt.Sprintf("revision %d, but %d was relied on, and %d was written", at, acked, wrote)
	}
	for _, repair := range s.Repairs() {
		if strings.Contains(repair, "autopilot-state.json") {
			return repair
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 || err != nil {
		return fmt.Sprintf("left over: %q", left)
	}
	return ""
}
