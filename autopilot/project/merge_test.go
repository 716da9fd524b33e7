package project

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// fresh is what the scan of a project finds.
var fresh = Profile{
	Version:         Version,
	Languages:       []Language{{Name: "Go", Files: 3}},
	PackageManagers: []Manager{{Name: "go", Source: "go.mod", Lock: "go.sum", Install: "go mod download"}},
	TestCommands:    []Command{{Command: "go test ./...", Source: "go.mod"}},
	LintCommands:    []Command{},
	BuildCommands:   []Command{},
	Services: []Service{
		{Name: "db", Ports: []int{5432}, Source: "compose.yaml", HealthCheck: composeExec + "db true"},
		{Name: "web", Ports: []int{}, Source: "Procfile", Command: "./serve"},
	},
	Docs: []Doc{{Path: "README.md", Kind: "readme"}},
}

func TestWhatAPersonAddedSurvivesARescan(t *testing.T) {
	old := `{
  "owner": {"team": "<web> & co", "n": 10000000000000000001},
  "version": 1,
  "languages": [{"name": "Go", "files": 1, "note": "1.25"}, {"name": "COBOL"}, {"name": "Perl", "files": 2}],
  "package_managers": [{"name": "go", "source": "go.mod", "lock": "old.sum"}],
  "test_commands": [{"command": "make e2e", "dir": "e2e"}, {"command": "rake", "source": "Rakefile"}],
  "services": [
    {"name": "mail", "health_check": "true"},
    {"name": "db", "source": "compose.yaml", "ports": [1], "health_check": "pg_isready"},
    {"name": "web", "source": "Procfile", "ports": [8080], "command": "old", "health_check": "http://localhost:8080/up", "slow": true},
    {"name": "gone", "source": "Procfile", "ports": [], "health_check": ""},
    {"name": "gone2", "source": "compose.yaml", "ports": [], "health_check": "docker compose exec -T gone2 true"},
    {"name": "kept", "source": "Procfile", "ports": [], "health_check": "curl kept"},
    {"name": "noted", "source": "Procfile", "ports": [], "health_check": "", "why": "x"}
  ],
  "docs": [{"path": "wiki/"}]
}`
	text, err := Merge([]byte(old), fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	want := fresh
	want.Languages = append(slices.Clone(fresh.Languages), Language{Name: "COBOL"})
	want.TestCommands = append(slices.Clone(fresh.TestCommands), Command{Command: "make e2e", Dir: "e2e"})
	want.Services = []Service{
		{Name: "db", Ports: []int{5432}, Source: "compose.yaml", HealthCheck: "pg_isready"},
		{Name: "web", Ports: []int{8080}, Source: "Procfile", Command: "./serve", HealthCheck: "http://localhost:8080/up"},
		{Name: "mail", HealthCheck: "true"},
		{Name: "kept", Ports: []int{}, Source: "Procfile", HealthCheck: "curl kept"},
		{Name: "noted", Ports: []int{}, Source: "Procfile"},
	}
	want.Docs = append(slices.Clone(fresh.Docs), Doc{Path: "wiki/"})
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, kept := range []string{`"team": "<web> & co"`, `"n": 10000000000000000001`, `"note": "1.25"`, `"slow": true`, `"why": "x"`} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("%s is lost:\n%s", kept, text)
		}
	}
	if again, err := Merge(text, fresh); err != nil || string(again) != string(text) {
		t.Errorf("a second scan changes it: %v\n%s", err, cmp.Diff(string(text), string(again)))
	}
}

func TestAnOldProfileThatCannotBeReadIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, want string }{
		"no JSON":             {"{", "it is no profile"},
		"no object":           {"[]", "it is no profile"},
		"a list of texts":     {`{"version": 1, "services": ["web"]}`, "it is no profile"},
		"another version":     {`{"version": 2}`, "it has version 2, and this program knows version 1"},
		"another tool's":      {`{"languages": []}`, "it has version 0"},
		"an entry that is no": {`{"version": 1, "services": [null]}`, "services: an entry is null"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, err := Merge([]byte(c.old), fresh); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q:\n%s", err, c.want, text)
			}
		})
	}
}

// TestRescansSettle: whatever a person wrote, a second scan of the same project changes nothing any more.
func TestRescansSettle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := fresh
		old.Services = rapid.SliceOf(rapid.Custom(func(t *rapid.T) Service {
			return Service{
				Name: rapid.SampledFrom([]string{"db", "web", "x"}).Draw(t, "name"), Source: rapid.SampledFrom([]string{"", "Procfile"}).Draw(t, "source"),
				Ports:       rapid.SampledFrom([][]int{nil, {1}}).Draw(t, "ports"),
				HealthCheck: rapid.SampledFrom([]string{"", "true", composeExec + "x true"}).Draw(t, "health"),
			}
		})).Draw(t, "services")
		text, err := json.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		once, err := Merge(text, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := Merge(once, fresh); err != nil || string(twice) != string(once) {
			t.Fatalf("%v\n%s", err, cmp.Diff(string(once), string(twice)))
		}
		p, err := Parse(once)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range old.Services {
			if s.Source != "" || s.HealthCheck == "" {
				continue
			}
			if !slices.ContainsFunc(p.Services, func(o Service) bool { return o.Name == s.Name && o.HealthCheck != "" }) {
				t.Fatalf("the health check of %s is lost:\n%s", s.Name, once)
			}
		}
	})
}
