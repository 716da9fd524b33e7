package integrity

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/autopilot/validate"
)

// The files of testdata/cheats and testdata/honest hold a change each. The first
// line says what is done. Behind it stand, as parts of a txtar archive:
//
//	-- before/PATH --  a file before the change
//	-- after/PATH --   a file behind it; one that has only a before is deleted
//	-- plan --         what the plan announced, one list a line: "Files: a, b",
//	                   "Owns: …" or "Changes tests: …"; without it, files of all paths
//	-- command --      a validation command, which does not run here
//	-- want --         the findings, one a line: severity, file:line, and what the
//	                   title holds; without it there must be none
type played struct {
	claim   string
	changes []Change
	allowed Allowed
	scripts []string // that the command runs
	want    []string
}

func play(t *testing.T, name string) played {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	claim, _, _ := strings.Cut(string(archive.Comment), "\n")
	p := played{claim: claim, allowed: Allowed{Owns: []string{"**"}}}
	before, after, command := map[string]string{}, map[string]string{}, ""
	for _, f := range archive.Files {
		side, path, _ := strings.Cut(f.Name, "/")
		switch side {
		case "before":
			before[path] = string(f.Data)
		case "after":
			after[path] = string(f.Data)
		case "plan":
			p.allowed = planned(string(f.Data))
		case "command":
			command = strings.TrimSpace(string(f.Data))
		case "proof": // see package proof
		case "want":
			p.want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		default:
			t.Fatalf("%s holds an unknown part %s", name, f.Name)
		}
	}
	for _, f := range archive.Files {
		side, path, _ := strings.Cut(f.Name, "/")
		old, had := before[path]
		now, has := after[path]
		switch {
		case side == "before" && !has:
			p.changes = append(p.changes, deleted(path, old))
		case side == "after" && !had:
			p.changes = append(p.changes, added(path, now))
		case side == "after" && old != now:
			p.changes = append(p.changes, edit(path, old, old, now))
		}
	}
	if command != "" {
		p.scripts = validate.Scripts(folderOf(t, after), []validate.Validation{{Command: command}}, Before(p.changes))
	}
	return p
}

// folderOf is a folder with files.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func planned(text string) Allowed {
	var a Allowed
	for line := range strings.Lines(text) {
		key, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		into := map[string]*[]string{"Files": &a.Files, "Owns": &a.Owns, "Changes tests": &a.ChangesTests}[key]
		*into = append(*into, strings.Split(list, ", ")...)
	}
	return a
}

func archives(t *testing.T, folder string, least int) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(names) < least {
		t.Fatalf("%d files in %s, want %d or more (%v)", len(names), folder, least, err)
	}
	return names
}

func TestCheatsAreFoundWithFileAndLine(t *testing.T) {
	for _, name := range archives(t, "cheats", 30) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			p := play(t, name)
			left := Integrity(p.changes, p.allowed, p.scripts...)
			for _, want := range p.want {
				i := find(left, want)
				if i < 0 {
					t.Errorf("%s\nwant %s\nleft %+v", p.claim, want, left)
					continue
				}
				left = append(left[:i:i], left[i+1:]...)
			}
			if len(p.want) == 0 || len(of(Critical, left)) > 0 {
				t.Errorf("%s\nbesides %+v", p.claim, left)
			}
		})
	}
}

// find gives the finding that a line of want describes, or -1.
func find(findings []Finding, want string) int {
	severity, rest, _ := strings.Cut(want, " ")
	at, title, _ := strings.Cut(rest, " ")
	for i, f := range findings {
		if string(f.Severity) == severity && f.File+":"+strconv.Itoa(f.Line) == at && strings.Contains(f.Title, title) {
			return i
		}
	}
	return -1
}

func TestHonestChangesAreNotAccused(t *testing.T) {
	for _, name := range archives(t, "honest", 15) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			p := play(t, name)
			for _, f := range Integrity(p.changes, p.allowed, p.scripts...) {
				if f.Severity != Suggestion {
					t.Errorf("%s\naccused: %+v", p.claim, f)
				}
			}
			if len(p.changes) == 0 || len(p.want) > 0 {
				t.Error("an honest file has changes and wants no findings")
			}
		})
	}
}

// TestAnnouncedCheatsAreChanges: what is a cheat is work when the plan says so.
func TestAnnouncedCheatsAreChanges(t *testing.T) {
	for _, name := range archives(t, "cheats", 30) {
		p := play(t, name)
		var all []string
		for _, c := range p.changes {
			all = append(all, c.Path)
		}
		for _, f := range Integrity(p.changes, Allowed{Files: all, ChangesTests: all}, p.scripts...) {
			if f.Severity == Critical && f.Title != "a check can no longer fail" {
				t.Errorf("%s: announced, yet %+v", p.claim, f)
			}
		}
	}
}

// A thousand files, three hundred of them with tests.
func BenchmarkIntegrity(b *testing.B) {
	var changes []Change
	for i := range 1000 {
		switch i % 10 {
		case 0:
			changes = append(changes, edit(fmt.Sprintf("p%d/calc_test.go", i), strings.Repeat(strings.TrimPrefix(goTest, "package calc"), 5), "42", "43"))
		case 1:
			changes = append(changes, edit(fmt.Sprintf("p%d/test_calc.py", i), strings.Repeat(pyTest, 10), "42", "43"))
		case 2:
			changes = append(changes, edit(fmt.Sprintf("p%d/calc.test.ts", i), strings.Repeat(jsTest, 10), "42", "43"))
		case 3:
			changes = append(changes, edit(fmt.Sprintf("p%d/lib.rs", i), strings.Repeat(rustLib, 5), "42", "43"))
		default:
			changes = append(changes, added(fmt.Sprintf("p%d/code.ts", i), strings.Repeat("export const x = (a) => a.latest + 1;\n", 200)))
		}
	}
	for b.Loop() {
		if len(Integrity(changes, Allowed{Owns: []string{"**"}})) == 0 {
			b.Fatal("nothing was found")
		}
	}
}
