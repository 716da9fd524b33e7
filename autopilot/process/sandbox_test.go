//go:build unix

package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeBubblewrap is a bwrap on PATH that does what a script says.
func fakeBubblewrap(t *testing.T, script string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, sandboxProgram), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + t.TempDir(), "TMPDIR=/elsewhere"}
}

func TestSandboxIsTried(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"works":         {fakeBubblewrap(t, "exit 0"), ""},
		"not allowed":   {fakeBubblewrap(t, "echo 'bwrap: No permissions to create a new namespace.' >&2; exit 1"), "No permissions to create a new namespace; allow user namespaces"},
		"fails silent":  {fakeBubblewrap(t, "exit 7"), "it says nothing"},
		"is not there":  {[]string{"PATH=" + t.TempDir()}, "install it"},
		"runs the rest": {fakeBubblewrap(t, `while [ "$1" != -- ]; do shift; done; shift; exec "$@"`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := ProbeSandbox(t.Context(), c.env)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSandboxBindsWhatIsAsked(t *testing.T) {
	env := fakeBubblewrap(t, `printf '%s\n' "$@"; echo "TMPDIR $TMPDIR"`)
	dir := t.TempDir()
	place := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tree, git, out, home, kept := place("tree"), place("tree/.git"), place("tree/out"), place("home"), place("kept")
	s := Sandbox{Home: home, Kept: []string{kept, dir + "/missing"}, Writable: []string{tree}, ReadOnly: []string{git, ""}, Inner: []string{out}}
	run := func(s Sandbox) []string {
		var said strings.Builder
		if _, err := Run(t.Context(), s.Wrap(Command{Argv: []string{"sh", "-c", "x y"}, Dir: tree, Env: env, Output: &said})); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(said.String()), "\n")
	}
	user := strings.TrimPrefix(env[1], "HOME=")
	want := slices.Concat(confined, []string{"--unshare-net", "--bind", home, user, "--ro-bind", kept, kept, "--bind", tree, tree, "--ro-bind", git, git, "--bind", out, out},
		[]string{"--chdir", tree, "--", "sh", "-c", "x y", "TMPDIR /tmp"})
	if got := run(s); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	s.Network, s.Home = true, ""
	if got := run(s); slices.Contains(got, "--unshare-net") || !slices.Contains(got, "--tmpfs") || slices.Index(got, user) < 0 {
		t.Errorf("%q", got)
	}
}
