package taskfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/sessions/storage"
)

func TestTheRootIsFound(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	deep := func(n int) string { return at("project", strings.Repeat("x/", n)) }
	for _, dir := range []string{deep(10), at("other"), at("none"), at("folder", FileName)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"project", "other"} {
		write(t, storeIn(t, at(dir)), FileName, "{}")
	}
	link := at("link")
	if err := os.Symlink(deep(2), link); err != nil {
		t.Skip(err)
	}
	for name, c := range map[string]struct {
		state, project, dir, want string
	}{
		"the folder itself":                       {"", "", at("other"), at("other")},
		"a folder above":                          {"", "", deep(8), at("project")},
		"too far above":                           {"", "", deep(9), ""},
		"nowhere":                                 {"", "", at("none"), ""},
		"a folder that is not there":              {"", "", at("gone"), ""},
		"no folder":                               {"", "", "", ""},
		"a folder of that name":                   {"", "", at("folder"), at("folder")},
		"through a link":                          {"", "", link, at("project")},
		"the project goes before the folder":      {"", deep(3), at("other"), at("project")},
		"a project without one":                   {"", at("none"), at("other"), at("other")},
		"the state root goes before both":         {at("other"), at("project"), at("project"), at("other")},
		"its parents do not count":                {deep(1), "", at("other"), at("other")},
		"a state root without one":                {at("none"), at("project"), "", at("project")},
		"a state root through a path with dots":   {deep(1) + "/..", "", "", at("project")},
		"a state root that cannot be a path even": {"\x00", "", at("other"), at("other")},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"HARNESS_STATE_ROOT": c.state, "CLAUDE_PROJECT_DIR": c.project}
			got, ok := Find(func(name string) string { return env[name] }, c.dir)
			if got != c.want || ok != (c.want != "") {
				t.Errorf("%q, %t, want %q", got, ok, c.want)
			}
		})
	}
}

func TestASecondRunFindsTheListHeld(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clock := func() time.Time { return noon }
	first, err := LockRun(root, clock)
	if err != nil {
		t.Fatal(err)
	}
	var held *storage.LockedError
	if _, err := LockRun(root, clock); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("the second: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := LockRun(root, clock)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	file := storeWith(t, "{}")
	if _, err := LockRun(file.Path(), clock); err == nil {
		t.Error("a file is no folder")
	}
}
