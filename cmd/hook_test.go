package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/cmd"
	"autopilot/cmd/console"
	"autopilot/sessions/taskfile"
)

// hookRow is a behaviour of a hook, shown by the real main. In its texts $ROOT is the folder of the task file, $TEMP the
// one for temporary files.
type hookRow struct {
	name, hook string
	files      map[string]string // what is there; a task file is put beside a marker that says the list is active
	env        []string
	input      string // {"cwd":"$ROOT"} where empty
	locked     bool   // another process is about to write the task file
	readOnly   bool   // nothing in the folder of the task file may be written

	blocks, tells []string // what the reason, or the context, has to contain; stdout is empty without any
	json          string   // all of stdout
	has           []string // what stdout has to contain
	err           []string // what stderr has to contain; it is empty without any
	code          int
	after         map[string]string // files and their content, gone for those that must not be there
}

const gone = "(gone)"

// hookClock is the time of every hook in these tests.
func hookClock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func TestHooksAnswerAsTheirUsersExpect(t *testing.T) {
	rows := hookRows()
	if len(rows) < 50 {
		t.Errorf("only %d behaviours", len(rows))
	}
	for _, row := range rows {
		t.Run(row.hook+"/"+row.name, func(t *testing.T) {
			t.Parallel()
			row.check(t)
		})
	}
}

func (row hookRow) check(t *testing.T) {
	root, temp := t.TempDir(), t.TempDir()
	fill := strings.NewReplacer("$ROOT", root, "$TEMP", temp)
	for name, text := range row.files {
		path := filepath.Join(root, name)
		if strings.HasPrefix(name, "$TEMP/") {
			path = fill.Replace(name)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(fill.Replace(text)), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if row.readOnly {
		makeReadOnly(t, root)
	}
	env := []string{"TMPDIR=" + temp}
	for _, e := range row.env {
		env = append(env, fill.Replace(e))
	}
	input := row.input
	if input == "" {
		input = `{"cwd":"$ROOT"}`
	}
	if input == nothing {
		input = ""
	}
	var out, said string
	var code int
	answer := func(*taskfile.TaskList) error {
		out, said, code = runHook(root, env, fill.Replace(input), row.hook)
		return nil
	}
	if !row.locked {
		_ = answer(nil) // it has no error
	} else if err := (&taskfile.Store{Root: root, Now: hookClock}).Update(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
	if code != row.code {
		t.Errorf("exit code %d, want %d", code, row.code)
	}
	row.checkOut(t, out, fill)
	hasAll(t, "stderr", said, row.err)
	row.checkAfter(t, root, temp)
}

// makeReadOnly lets nobody make a file in a folder, or take one away, until the test is over.
func makeReadOnly(t *testing.T, dir string) {
	t.Helper()
	if filepath.Separator != '/' || os.Geteuid() == 0 {
		t.Skip("this user may write everywhere")
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
}

// runHook runs a hook in a folder, with nothing in its environment but env.
func runHook(dir string, env []string, input, hook string, args ...string) (out, said string, code int) {
	var stdout, stderr bytes.Buffer
	code = cmd.Main(append([]string{"hook", hook}, args...), console.Host{
		In: strings.NewReader(input), Out: &stdout, Err: &stderr, Dir: dir, Environ: env, Now: hookClock,
	})
	return stdout.String(), stderr.String(), code
}

func (row hookRow) checkOut(t *testing.T, out string, fill *strings.Replacer) {
	t.Helper()
	if row.json != "" {
		if diff := cmp.Diff(fill.Replace(row.json)+"\n", out); diff != "" {
			t.Errorf("stdout (-want +got):\n%s", diff)
		}
		return
	}
	if row.has != nil {
		hasAll(t, "stdout", out, row.has)
		return
	}
	var got struct {
		Decision, Reason   string
		HookSpecificOutput struct{ AdditionalContext, HookEventName string }
	}
	if out != "" {
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("stdout is not JSON: %v\n%s", err, out)
		}
	}
	hasAll(t, "reason", got.Reason, row.blocks)
	hasAll(t, "context", got.HookSpecificOutput.AdditionalContext, row.tells)
	switch {
	case row.blocks != nil && got.Decision != "block":
		t.Errorf("decision %q, want block", got.Decision)
	case row.tells != nil && got.HookSpecificOutput.HookEventName != "SessionStart":
		t.Errorf("the event is named %q", got.HookSpecificOutput.HookEventName)
	case row.blocks == nil && row.tells == nil && out != "":
		t.Errorf("stdout is %q, want nothing", out)
	}
}

func hasAll(t *testing.T, what, text string, wanted []string) {
	t.Helper()
	if len(wanted) == 0 && text != "" {
		t.Errorf("%s is %q, want nothing", what, text)
	}
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %q:\n%s", what, want, text)
		}
	}
}

func (row hookRow) checkAfter(t *testing.T, root, temp string) {
	t.Helper()
	for name, want := range row.after {
		path := filepath.Join(root, name)
		if rest, ok := strings.CutPrefix(name, "$TEMP/"); ok {
			path = filepath.Join(temp, rest)
		}
		data, err := os.ReadFile(path)
		got := string(data)
		if errors.Is(err, fs.ErrNotExist) {
			got = gone
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestHookThatHandsOutTasksWritesThem(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "harness-tasks.json")
	if err := os.WriteFile(file, []byte(`{"custom":1,"tasks":[{"id":"t1","mine":true}, 7]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"HARNESS_WORKER_ID=w-1", "HARNESS_LEASE_SECONDS=60"}
	runHook(root, env, "{}", "claim")
	out, _, _ := runHook(root, env, `{"task_id":"t1"}`, "renew")
	if want := `{"renewed":true,"task_id":"t1","lease_expires_at":"2026-01-02T03:05:05Z"}` + "\n"; out != want {
		t.Errorf("renew said %s, want %s", out, want)
	}
	var list struct {
		Custom int
		Tasks  []any
	}
	data, err := os.ReadFile(file)
	if err = errors.Join(err, json.Unmarshal(data, &list)); err != nil {
		t.Fatal(err)
	}
	task, _ := list.Tasks[0].(map[string]any)
	if task["status"] != "in_progress" || task["claimed_by"] != "w-1" || task["mine"] != true || list.Custom != 1 || len(list.Tasks) != 2 {
		t.Errorf("the file holds %s", data)
	}
	if base := task["started_at_commit"]; base != nil {
		t.Errorf("the task starts at %q, where there is no commit", base)
	}
}

func TestClaimNotesTheCommitThatWorkStartsAt(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "harness-tasks.json"), []byte(`{"tasks":[{"id":"t1"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &place{repo: root}
	p.git(t, "init", "-q")
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "Begin")
	head := strings.TrimSpace(p.git(t, "rev-parse", "HEAD"))
	runHook(root, nil, "", "claim")
	data, err := os.ReadFile(filepath.Join(root, "harness-tasks.json"))
	if err != nil || !strings.Contains(string(data), head) {
		t.Errorf("HEAD %s is not in %s (%v)", head, data, err)
	}
}

func TestHookTakesAnyArgumentsAndFlags(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"harness-tasks.json": `{"tasks":[{"id":"t1"}]}`, ".harness-active": ""} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, said, code := runHook(root, nil, "{}", "stop", "one", "--of-tomorrow", "-x")
	if code != 0 || said != "" || !strings.Contains(out, "next=t1") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, said)
	}
}

// TestHookAnswersWhileItsInputStaysOpen hands over a pipe that nobody writes to, and whose other end nobody closes.
func TestHookAnswersWhileItsInputStaysOpen(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range listed("", pendingTask) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(to.Close(), from.Close()) }()
	var out, said bytes.Buffer
	code := cmd.Main([]string{"hook", "stop"}, console.Host{In: from, Out: &out, Err: &said, Dir: root, Now: hookClock})
	if code != 0 || said.Len() > 0 || !strings.Contains(out.String(), "next=t1") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &out, &said)
	}
}

// brokenReader is an input that nobody thought of.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { panic("no such thing") }

func TestBrokenHookLetsTheAgentGoOn(t *testing.T) {
	var out, said bytes.Buffer
	code := cmd.Main([]string{"hook", "teammateidle"}, console.Host{In: brokenReader{}, Out: &out, Err: &said, Dir: t.TempDir(), Now: hookClock})
	if code != 0 || out.Len() > 0 || !strings.Contains(said.String(), "no such thing") || strings.Contains(said.String(), "goroutine") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &out, &said)
	}
}
