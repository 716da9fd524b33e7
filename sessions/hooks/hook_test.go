package hooks_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/hooks"
	"autopilot/sessions/taskfile"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// world is a folder with a task file, and hooks that find it.
type world struct {
	root  string
	env   map[string]string
	hooks *hooks.Hooks
}

func newWorld(t testing.TB, tasks string) *world {
	t.Helper()
	w := &world{root: t.TempDir(), env: map[string]string{}}
	getenv := func(name string) string { return w.env[name] }
	w.hooks = &hooks.Hooks{
		Getenv: getenv, Dir: w.root, Temp: t.TempDir(), Process: hooks.Process("host", 7), Now: func() time.Time { return now },
		Find: func(dir string) (string, bool) { return taskfile.Find(getenv, dir) },
		Open: func(root string) hooks.Store {
			return &taskfile.Store{Root: root, Now: func() time.Time { return now }, Env: getenv}
		},
	}
	w.write(t, taskfile.FileName, tasks)
	w.write(t, taskfile.ActiveName, "")
	return w
}

func (w *world) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *world) run(t testing.TB, name, input string) hooks.Answer {
	t.Helper()
	return w.hooks.Run(t.Context(), name, strings.NewReader(input))
}

func TestInputIsReadAsFarAsItGoes(t *testing.T) {
	long := strings.Repeat("x", hooks.MaxInput)
	all := hooks.Input{SessionID: "s", TranscriptPath: "/t", Cwd: "/c", TeammateName: "n", AgentID: "a", TaskID: "12", Again: true}
	whole := `{"session_id":" s ","transcript_path":"/t","cwd":"/c","teammate_name":"n","agent_id":"a","task_id":12,"stop_hook_active":true`
	for name, c := range map[string]struct {
		text string
		want hooks.Input
	}{
		"all":                  {whole + "}", all},
		"unknown members":      {`{"x":{"cwd":"/no"},` + whole[1:] + `,"y":[[1]]}`, all},
		"cut off":              {whole + `,"last_assistant_message":"abc`, all},
		"more than is read":    {whole + `,"last_assistant_message":"` + long + `"}`, all},
		"a text after it":      {whole + `} and more`, all},
		"a broken member":      {`{"cwd":"/c",x,"task_id":"t"}`, hooks.Input{Cwd: "/c"}},
		"deeply nested":        {`{"cwd":"/c","x":` + strings.Repeat("[", 20000), hooks.Input{Cwd: "/c"}},
		"wrong types":          {`{"session_id":{},"cwd":7,"transcript_path":[],"agent_id":true,"stop_hook_active":[]}`, hooks.Input{}},
		"a huge number":        {`{"task_id":1e99999,"stop_hook_active":0}`, hooks.Input{TaskID: "1e99999"}},
		"the last of several":  {`{"cwd":"/a","cwd":"/b"}`, hooks.Input{Cwd: "/b"}},
		"nothing":              {"", hooks.Input{}},
		"a list":               {`["cwd"]`, hooks.Input{}},
		"a word that says yes": {`{"stop_hook_active":"True"}`, hooks.Input{Again: true}},
		"a word that says no":  {`{"stop_hook_active":"false"}`, hooks.Input{}},
		"a number":             {`{"stop_hook_active":1}`, hooks.Input{Again: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := hooks.ReadInput(strings.NewReader(c.text)); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestInputThatStaysOpenIsWaitedForNoLongerThanTheLimit hands over a pipe whose other end nobody closes.
func TestInputThatStaysOpenIsWaitedForNoLongerThanTheLimit(t *testing.T) {
	for text, want := range map[string]struct {
		in     hooks.Input
		waited time.Duration
	}{
		"":                                     {hooks.Input{}, hooks.InputLimit},
		" \n":                                  {hooks.Input{}, hooks.InputLimit},
		"null":                                 {hooks.Input{}, hooks.InputLimit},
		`{"cwd":"/c","task_id":"1`:             {hooks.Input{Cwd: "/c"}, hooks.InputLimit},
		`{"cwd":"/c","stop_hook_active":true,`: {hooks.Input{Cwd: "/c", Again: true}, hooks.InputLimit},
		`{"cwd":"/c"}`:                         {hooks.Input{Cwd: "/c"}, 0},
		`{"cwd":"/c"} {"cwd":"/d"`:             {hooks.Input{Cwd: "/c"}, 0},
		`["cwd"`:                               {hooks.Input{}, 0},
		`{x`:                                   {hooks.Input{}, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			from, to := io.Pipe()
			defer func() { _ = to.Close() }()
			go func() { _, _ = io.WriteString(to, text) }()
			began := time.Now()
			if got := hooks.ReadInput(from); got != want.in || time.Since(began) != want.waited {
				t.Errorf("%q: %+v after %v, want %+v after %v", text, got, time.Since(began), want.in, want.waited)
			}
		})
	}
}

func TestInputThatComesInPiecesIsReadInFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		defer func() { _ = to.Close() }()
		go func() {
			for _, piece := range []string{`{"cwd":`, `"/c","session_`, `id":"s"`, "}"} {
				time.Sleep(hooks.InputLimit / 8)
				_, _ = io.WriteString(to, piece)
			}
		}()
		if got, want := hooks.ReadInput(from), (hooks.Input{Cwd: "/c", SessionID: "s"}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

func TestStopLetsGoInTheEnd(t *testing.T) {
	w := newWorld(t, `{"tasks":[{"id":"t1"}]}`)
	blocked := 0
	for ; blocked <= hooks.MaxBlocks; blocked++ {
		if w.run(t, "stop", `{"stop_hook_active":true}`).Out == "" {
			break
		}
	}
	if blocked != hooks.MaxBlocks {
		t.Errorf("it blocked %d times, want %d", blocked, hooks.MaxBlocks)
	}
}

func TestReflectionEnds(t *testing.T) {
	w := newWorld(t, `{"tasks":[]}`)
	w.run(t, "stop", "{}")
	blocked := 0
	for ; blocked <= hooks.DefaultReflections; blocked++ {
		if w.run(t, "self-reflect-stop", `{"session_id":"s"}`).Out == "" {
			break
		}
	}
	if _, err := os.Stat(filepath.Join(w.root, taskfile.ReflectName)); blocked != hooks.DefaultReflections || err == nil {
		t.Errorf("it blocked %d times, want %d; the marker: %v", blocked, hooks.DefaultReflections, err)
	}
}

// TestReflectionWaitsForTheStopHookBesideIt runs both as agent programs do: at the same time.
func TestReflectionWaitsForTheStopHookBesideIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, `{"tasks":[{"id":"t1","status":"completed"}]}`)
		go func() {
			time.Sleep(20 * time.Millisecond)
			w.hooks.Run(t.Context(), "stop", strings.NewReader("{}"))
		}()
		if a := w.run(t, "self-reflect-stop", `{"session_id":"s"}`); !strings.Contains(a.Out, "1/5") {
			t.Errorf("it answered %+v", a)
		}
	})
}

func TestSessionsAreCountedApart(t *testing.T) {
	names := map[string]string{}
	for _, id := range []string{"a", "b", "a/b", "a_b", "a:b", "..", "a\x00", "ä", strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("a", 66), "a\nb"} {
		name := hooks.CounterName(id)
		if other, ok := names[name]; ok {
			t.Errorf("%q and %q share %s", id, other, name)
		}
		names[name] = id
		if filepath.Base(name) != name || len(name) > 100 || strings.ContainsAny(name, "\x00\n:*?\\") || !strings.HasPrefix(name, "claude-reflect-") {
			t.Errorf("%q is counted in %q", id, name)
		}
	}
	if got := hooks.CounterName("2f1b-7.x_Y"); got != "claude-reflect-2f1b-7.x_Y" {
		t.Errorf("a plain id is counted in %s, where no other program looks", got)
	}
}

func TestCounterIsNotWrittenThroughALink(t *testing.T) {
	w := newWorld(t, `{"tasks":[]}`)
	w.run(t, "stop", "{}")
	target, link := filepath.Join(t.TempDir(), "mine"), filepath.Join(w.hooks.Temp, hooks.CounterName("s"))
	if err := os.WriteFile(target, []byte("5"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	a := w.run(t, "self-reflect-stop", `{"session_id":"s"}`)
	if data, _ := os.ReadFile(target); string(data) != "5" || !strings.Contains(a.Out, "1/5") {
		t.Errorf("it answered %+v, and the file behind the link holds %q", a, data)
	}
}

func TestFirstRequestIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "x\n7\n[]\nnull\n": "",
		`{"role":"user","content":" hello "}`:                                                               "hello",
		`{"type":"user","content":""}` + "\n" + `{"type":"user","content":"two"}`:                           "two",
		`{"type":"assistant","content":"no"}` + "\n" + `{"type":"user","message":{"content":"x"}}`:          "x",
		`{"type":"user","message":{"content":[{"type":"image"},{"type":"text","text":"a"},"b",7]}}`:         "a\nb",
		`{"role":"user","content":"` + strings.Repeat("ä", 3000) + `"}`:                                     strings.Repeat("ä", 1997) + "...",
		`{"role":"user","content":{"text":"an object"}}` + "\n" + `{"type":"user","content":"a text"}` + "": "a text",
	} {
		if got := hooks.FirstRequest(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLeaseIsBounded(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": hooks.DefaultLease, "90": 90 * time.Second, "0": hooks.DefaultLease, "-5": hooks.DefaultLease, "1.5": hooks.DefaultLease,
		"99999999999999999999": 365 * 24 * time.Hour, "-99999999999999999999": hooks.DefaultLease, "99999999999": 365 * 24 * time.Hour,
	} {
		if got := hooks.Lease(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestClaimKeepsWhatItReapedWhereNothingIsLeft(t *testing.T) {
	w := newWorld(t, `{"tasks":[{"id":"t1","status":"in_progress","attempts":2,"claimed_by":"a","lease_expires_at":"2026-01-01T00:00:00Z"}]}`)
	w.env["HARNESS_WORKER_ID"] = "b"
	if a := w.run(t, "claim", ""); a.Out != `{"claimed":false}`+"\n" {
		t.Errorf("it answered %+v", a)
	}
	list, err := w.hooks.Open(w.root).Read()
	if err != nil || list.Tasks[0].Status != machine.TaskFailed || list.Tasks[0].Attempts != 3 {
		t.Errorf("the list holds %+v (%v)", list.Tasks, err)
	}
}

func TestClaimWithoutANameIsTheProcesss(t *testing.T) {
	w := newWorld(t, `{"tasks":[{"id":"t1"}]}`)
	var got struct {
		Worker string `json:"worker_id"`
	}
	if err := json.Unmarshal([]byte(w.run(t, "claim", "").Out), &got); err != nil || got.Worker != "host:7" {
		t.Errorf("claimed by %q (%v)", got.Worker, err)
	}
}

// deafStore is a task file whose markers cannot be changed.
type deafStore struct{ hooks.Store }

func (deafStore) SetCounter(int, int) error { return errors.New("no room") }
func (deafStore) ResetCounter() error       { return errors.New("no room") }
func (deafStore) Finish() error             { return errors.New("no room") }

func TestStopAnswersWhereNothingCanBeWritten(t *testing.T) {
	for tasks, want := range map[string][2]string{ // the first time, and when it was blocked before
		`{"tasks":[{"id":"t1"}]}`: {"block", "no room"}, `{"tasks":[]}`: {"", ""},
	} {
		w := newWorld(t, tasks)
		open := w.hooks.Open
		w.hooks.Open = func(root string) hooks.Store { return deafStore{open(root)} }
		once, twice := w.run(t, "stop", "{}"), w.run(t, "stop", `{"stop_hook_active":1}`)
		if !strings.Contains(once.Out, want[0]) || !strings.Contains(twice.Err, want[1]) || twice.Out != "" || once.Code+twice.Code != 0 {
			t.Errorf("%s: %+v, then %+v", tasks, once, twice)
		}
	}
}

func TestUnknownHookIsSilent(t *testing.T) {
	if a := newWorld(t, `{"tasks":[{"id":"t1"}]}`).run(t, "bogus", "{}"); a != (hooks.Answer{}) {
		t.Errorf("it answered %+v", a)
	}
}

func TestTasksOfASessionAreCounted(t *testing.T) {
	for log, want := range map[string]int{
		"": 0, "[SESSION-2] Completed [task-1]\n": 1, "[2026-01-02T03:04:05Z] [SESSION-2] Completed [t1] {#a}": 1,
		"[SESSION-2] ERROR [t1] [TEST_FAIL] x\n[SESSION-2] ERROR [t1] [TIMEOUT] x\n": 2,
		"[SESSION-2] ERROR [ENV_SETUP] x\n[SESSION-2] ERROR no disk [t1]\n":          0,
		"[SESSION-2] CHECKPOINT [t1] Completed [t1]\n[SESSION-2] Starting [t1]\n":    0,
		"[SESSION-22] Completed [t1]\n[SESSION-1] Completed [t1]\n":                  0,
		"[SESSION-2]\n[SESSION-2] \n[SESSION-2] Completed\n[SESSION-2] Completed [":  0,
	} {
		if got := hooks.Ended(log, 2); got != want {
			t.Errorf("%q: %d, want %d", log, got, want)
		}
	}
}

func TestStartTellsTheLastSTATS(t *testing.T) {
	for log, want := range map[string]string{
		"": `total=0"`, " \n\n": `total=0"`, "a\nb\n\n": `last_log=b"`, "x STATS y\nz": `last_log=x STATS y"`, "x STATS\nxSTATS y\n": `last_log=x STATS"`,
	} {
		if got := hooks.SessionStart(taskfile.TaskList{}, log, now); !strings.Contains(got.Out, want) {
			t.Errorf("%q: %s has no %s", log, got.Out, want)
		}
	}
}

func TestRenewNeedsATaskAndAWorker(t *testing.T) {
	w := newWorld(t, `{"tasks":[{"id":"t1","status":"in_progress"}]}`)
	for _, step := range []struct{ name, value, want string }{
		{"X", "", "missing task_id"}, {"HARNESS_TASK_ID", "t1", "missing HARNESS_WORKER_ID"}, {"HARNESS_WORKER_ID", "w", `"renewed":true`},
	} {
		w.env[step.name] = step.value
		if a := w.run(t, "renew", "{}"); !strings.Contains(a.Out, step.want) {
			t.Errorf("with %s: %s, want %s", step.name, a.Out, step.want)
		}
	}
}
