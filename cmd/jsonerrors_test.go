package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"autopilot/cmd/console"
)

// TestEveryCommandTellsItsErrorInJSON: whoever asks for JSON gets one document on standard output, also where nothing is well.
func TestEveryCommandTellsItsErrorInJSON(t *testing.T) {
	t.Parallel()
	commands := 0
	for _, c := range below(newRoot(&console.Host{})) {
		if c.Flags().Lookup("json") == nil {
			continue
		}
		commands++
		words := strings.Fields(c.CommandPath())[1:]
		for _, wrong := range [][]string{{"--no-such-flag"}, {"docs/a.md", "docs/b.md", "docs/c.md"}, {"docs/nowhere.md"}, {}} {
			for _, ask := range []string{"--json", "--json=true"} {
				args := append(append(append([]string{}, words...), wrong...), ask)
				code, text := inEmptyFolder(t, args)
				var told struct {
					Error    string `json:"error"`
					ExitCode int    `json:"exitCode"`
				}
				switch err := json.Unmarshal(text, &told); {
				case len(wrong) == 1 && wrong[0] == "--no-such-flag" && (err != nil || code != 2 || told.ExitCode != 2 || !strings.Contains(told.Error, "no-such-flag")):
					t.Errorf("%v: exit code %d, %v: %s", args, code, err, text)
				case code != 0 && !json.Valid(text):
					t.Errorf("%v: exit code %d, and no JSON: %q", args, code, text)
				case told.Error != "" && told.ExitCode != code:
					t.Errorf("%v: exit code %d, and it says %d", args, code, told.ExitCode)
				}
			}
		}
	}
	if commands < 15 {
		t.Errorf("only %d commands have --json", commands)
	}
}

// inEmptyFolder runs a command where there is nothing, and gives what it prints on standard output.
func inEmptyFolder(t *testing.T, args []string) (int, []byte) {
	t.Helper()
	var out, said bytes.Buffer
	dir := t.TempDir()
	environ := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "GIT_CEILING_DIRECTORIES=" + dir, "PATH=" + os.Getenv("PATH")}
	code := Main(args, console.Host{In: strings.NewReader(""), Out: &out, Err: &said, Dir: dir, Environ: environ, Now: time.Now})
	return code, out.Bytes()
}

// CommandPaths are all commands, without the program's name.
func CommandPaths() []string {
	var paths []string
	for _, c := range below(newRoot(&console.Host{})) {
		paths = append(paths, strings.TrimPrefix(c.CommandPath(), "autopilot "))
	}
	return paths
}

func TestJSONTellsTheRemedyAsTextDoes(t *testing.T) {
	full := fmt.Errorf("EXECUTE: %w", &fs.PathError{Op: "write", Path: "/repo/x", Err: syscall.ENOSPC})
	var said, out strings.Builder
	h := &console.Host{Err: &said, Out: &out}
	h.Explain(full)
	for _, args := range [][]string{{"docs/spec.md", "--json"}, {"list", "--json"}} {
		out.Reset()
		h.Out = &out
		h.EndsInJSON(newRoot(h), args)
		h.Final(1, full)
		var object struct{ Error string }
		if err := json.Unmarshal([]byte(out.String()), &object); err != nil || "autopilot: "+object.Error+"\n" != strings.SplitAfter(said.String(), "again.\n")[0] {
			t.Errorf("%v: %v: %s\ntext mode says %s", args, err, out.String(), said.String())
		}
	}
	if told := console.FinalObject(nil, 1, full)["error"]; told != full.Error()+"\nFree some disk space, then run the same command again." {
		t.Errorf("the final object says %q", told)
	}
}
