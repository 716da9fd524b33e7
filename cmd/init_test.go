package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"autopilot/cmd/console"
)

func TestInitAsksAtATerminalAndWritesWhatIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		want, never []string
	}{
		{
			"a server of one's own", "1\nhttp://127.0.0.1:8080/v1\nsmall\n\nsh test.sh; sh more.sh\n\n",
			[]string{"\nbackend: main\n", `base_url: "http://127.0.0.1:8080/v1"`, `model: "small"`, "api_key_env: OPENAI_API_KEY", "\n    - \"sh test.sh\"\n    - \"sh more.sh\"\n"},
			nil,
		},
		{
			"a ; too many", "2\n; sh test.sh ;\n\n",
			[]string{"\n    - \"sh test.sh\"\n"},
			[]string{`- ""`},
		},
		{"nothing but Enter", "\n\n\n\n\n\n", []string{"\n# backend: main\n", "\n#     - \"make test\"\n"}, []string{"\nbackend:"}},
		{"the end of the input", "", []string{"\n#     - \"make test\"\n"}, []string{"\nbackend:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newEmptyPlace(t)
			t.Setenv("PATH", onlyWith(t, "git", "sh")) // no agent program is installed
			t.Setenv("OPENAI_BASE_URL", "")
			t.Setenv("OPENAI_MODEL", "")
			p.put(t, filepath.Join(p.repo, "Makefile"), []byte("test:\n\ttrue\n"))
			p.begin(t)
			end := p.command(console.Host{In: iotest.OneByteReader(strings.NewReader(c.typed)), Terminal: true}, "init")
			if end.code != 0 || !strings.Contains(end.text, "Which agent does the work?") || !strings.Contains(end.text, "[make test]:") {
				t.Errorf("exit code %d:\n%s", end.code, end.text)
			}
			text, err := os.ReadFile(filepath.Join(p.repo, "autopilot.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(text), want) {
					t.Errorf("it does not say %q:\n%s", want, text)
				}
			}
			for _, never := range c.never {
				if strings.Contains(string(text), never) {
					t.Errorf("it says %q:\n%s", never, text)
				}
			}
			if end := p.command(console.Host{}, "config"); end.code != 0 {
				t.Errorf("the program does not take it:\n%s", end.text)
			}
		})
	}
}

// onlyWith is a folder for PATH that has these programs alone.
func onlyWith(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
