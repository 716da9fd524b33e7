package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
)

// TestTrustListHasWhatTheRepositorysFilesSay: each kind, from each file that can say it; what the user's own configuration
// says is not there.
func TestTrustListHasWhatTheRepositorysFilesSay(t *testing.T) {
	const script = "#!/bin/sh\n"
	for name, c := range map[string]struct {
		files  map[string]string
		user   string // the user's own configuration
		config [3]string
		want   string
	}{
		"nothing":                   {},
		"a program":                 {files: map[string]string{"autopilot.yaml": "backends: {x: {type: command, command: [./run, go], env: {A: b c}}}"}, want: "program A='b c' ./run go autopilot.yaml:1"},
		"an address without a key":  {files: map[string]string{"autopilot.yaml": "backends: {x: {type: openai, model: m, base_url: 'http://some.example/v1', api_key_env: NOT_SET}}"}, want: "address http://some.example/v1 autopilot.yaml:1"},
		"one of this machine":       {files: map[string]string{"autopilot.yaml": "backends: {x: {type: openai, model: m, base_url: 'http://127.0.0.1:1/v1'}}"}, want: "address http://127.0.0.1:1/v1 autopilot.yaml:1"},
		"a known server's own":      {files: map[string]string{"autopilot.yaml": "backends: {x: {type: openai, model: m, base_url: 'https://api.openai.com/v1'}}"}},
		"an interactive mode":       {files: map[string]string{"autopilot.yaml": "backends: {claude: {preset: claude, interactive: [./ui]}}"}, want: "program ./ui autopilot.yaml:1"},
		"an MCP server":             {files: map[string]string{"autopilot.yaml": "backend: claude\nmcp: {servers: {s: {command: [./s, serve]}}}"}, want: "mcp MCP server s: ./s serve autopilot.yaml:2"},
		"validation commands":       {files: map[string]string{"go.mod": "module m", "autopilot.yaml": "validate: {commands: [a b, {command: c, dir: d}]}"}, want: "validation a b autopilot.yaml:1; validation c (in d) autopilot.yaml:1"},
		"none wanted":               {files: map[string]string{"go.mod": "module m", "autopilot.yaml": "validate: {commands: none}"}},
		"the user's commands":       {files: map[string]string{"go.mod": "module m"}, user: "validate: {commands: [a b]}"},
		"the user's, repeated":      {files: map[string]string{"autopilot.yaml": "validate: {commands: [a b]}"}, user: "validate: {commands: [a b]}"},
		"commands of a manifest":    {files: map[string]string{"go.mod": "module m"}, want: "validation go build ./... go.mod; validation go test ./... go.mod"},
		"scripts of package.json":   {files: map[string]string{"package.json": `{"scripts": {"pretest": "./a", "test": "./b", "posttest": "./c"}}`}, want: "validation npm run test: ./a && ./b && ./c package.json"},
		"a manifest further down":   {files: map[string]string{"web/Cargo.toml": "", "web/src/main.rs": ""}, want: "validation cargo test (in web) web/Cargo.toml"},
		"the setup of trees":        {files: map[string]string{"autopilot.yaml": "worktree: {setup: make deps}"}, want: "setup make deps autopilot.yaml:1"},
		"scripts by their names":    {files: map[string]string{".harness/init.sh": "", "harness-init.sh": "", ".harness/validate.d/a.sh": ""}, want: "setup .harness/init.sh .harness/init.sh; setup harness-init.sh harness-init.sh; validation .harness/validate.d/a.sh .harness/validate.d/a.sh"},
		"health checks that came":   {files: map[string]string{".harness/project_profile.json": `{"version": 1, "services": [{"name": "s", "health_check": "curl evil"}]}`}, want: "validation curl evil .harness/project_profile.json"},
		"hooks of .git":             {files: map[string]string{".git/hooks/commit-msg": script, ".git/hooks/pre-push": script, ".git/hooks/off.sample": script}, want: "hook commit-msg .git/hooks/commit-msg; hook pre-push .git/hooks/pre-push"},
		"hooks of a folder":         {files: map[string]string{".husky/pre-commit": script, ".git/hooks/commit-msg": script}, config: [3]string{"--local", "core.hooksPath", ".husky"}, want: "hook pre-commit .husky/pre-commit"},
		"the user's, named here":    {files: map[string]string{"../outside/pre-commit": script}, config: [3]string{"--local", "core.hooksPath", "../outside"}, want: "hook pre-commit ../outside/pre-commit"},
		"the user's, for all":       {files: map[string]string{"../outside/pre-commit": script, ".git/hooks/commit-msg": script}, config: [3]string{"--global", "core.hooksPath", "OUTSIDE"}},
		"a relative one, for all":   {files: map[string]string{".hooks/pre-commit": script}, config: [3]string{"--global", "core.hooksPath", ".hooks"}, want: "hook pre-commit .hooks/pre-commit"},
		"a manifest that is broken": {files: map[string]string{"package.json": "{"}},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			root := filepath.Join(top, "repo")
			h := &console.Host{Environ: append(os.Environ(), "HOME="+top, "XDG_CONFIG_HOME="+filepath.Join(top, "config"), "GIT_CONFIG_GLOBAL="+filepath.Join(top, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "OPENAI_API_KEY=", "OPENAI_BASE_URL=")}
			gitIn(t, h, top, "init", "-q", "--template=", "repo")
			for file, text := range c.files {
				write(t, filepath.Join(root, file), text)
				if text == script && os.Chmod(filepath.Join(root, file), 0o755) != nil {
					t.Fatal(file)
				}
			}
			gitIn(t, h, root, "add", "-Af")
			if c.config[0] != "" {
				gitIn(t, h, root, "config", c.config[0], c.config[1], strings.Replace(c.config[2], "OUTSIDE", filepath.Join(top, "outside"), 1))
			}
			write(t, filepath.Join(top, "config", "autopilot", "config.yaml"), c.user)
			cfg, _, err := LoadConfig(h, root, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			repo, err := git.Find(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			list, err := (&Backends{Host: h, Root: repo.Root(), Cfg: cfg}).TrustList(t.Context(), repo)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range list {
				got = append(got, e.Kind+" "+e.What+" "+e.File)
			}
			if all := strings.Join(got, "; "); all != c.want {
				t.Errorf("got  %s\nwant %s", all, c.want)
			}
		})
	}
}

func gitIn(t *testing.T, h *console.Host, dir string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", args...)
	c.Dir, c.Env = dir, h.Environ
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// TestAnswersBelongToAnEntryAndToTheOwner: another kind, text or content is another question, and so is all in a repository
// whose owner changed; another line of the file is not. Taking them back leaves those about other repositories.
func TestAnswersBelongToAnEntryAndToTheOwner(t *testing.T) {
	top := t.TempDir()
	h := &console.Host{Environ: append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(top, "state")), Now: time.Now}
	open := func(name string) *TrustFile {
		t.Helper()
		repo, err := git.Find(t.Context(), filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := OpenTrust(h, repo)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	entry := TrustEntry{Kind: TrustSetup, What: "a", File: "f:1", Blob: "1"}
	for _, name := range []string{"one", "two"} {
		gitIn(t, h, top, "init", "-q", name)
		if err := open(name).Keep([]TrustEntry{entry}, h.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		of   TrustEntry
		asks bool
	}{
		"the same":        {of: entry},
		"another line":    {of: TrustEntry{Kind: TrustSetup, What: "a", File: "f:2", Blob: "1", When: "now"}},
		"another content": {of: TrustEntry{Kind: TrustSetup, What: "a", File: "f:1", Blob: "2"}, asks: true},
		"another text":    {of: TrustEntry{Kind: TrustSetup, What: "b", File: "f:1", Blob: "1"}, asks: true},
		"another kind":    {of: TrustEntry{Kind: TrustHook, What: "a", File: "f:1", Blob: "1"}, asks: true},
	} {
		if asks := len(open("one").Unanswered([]TrustEntry{c.of})) > 0; asks != c.asks {
			t.Errorf("%s: asks %v", name, asks)
		}
	}
	file := open("one").path
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.ReplaceAll(string(whole), `"owner": "`, `"owner": "1`))
	if len(open("one").Unanswered([]TrustEntry{entry})) == 0 {
		t.Error("the answer of another owner counts")
	}
	write(t, file, string(whole))
	if n, err := open("one").Revoke(); n != 1 || err != nil {
		t.Errorf("revoked %d, %v", n, err)
	}
	if len(open("one").Unanswered([]TrustEntry{entry})) == 0 || len(open("two").Unanswered([]TrustEntry{entry})) > 0 {
		t.Error("taking back the answers of one repository took the wrong ones")
	}
}
