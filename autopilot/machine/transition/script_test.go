package transition

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

var update = flag.Bool("update", false, "write what the scripts do into testdata")

// TestScripts plays every script of testdata. A line that is not indented is something that happens; the indented
// lines below it are what the core makes of it. A section is one session; its name is what it shows.
func TestScripts(t *testing.T) {
	for _, file := range scriptFiles(t) {
		scripts := readScripts(t, file)
		for i, script := range scripts {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+script.name, func(t *testing.T) {
				got := play(t, newReached(), script.text)
				if *update {
					scripts[i].text = got
				} else if got != script.text {
					t.Errorf("got:\n%s\nwant:\n%s", got, script.text)
				}
			})
		}
		if *update {
			writeScripts(t, file, scripts)
		}
	}
}

// script is a section of a file, headed "-- name --"; the text before the first has no name.
type script struct{ name, text string }

func readScripts(t testing.TB, file string) []script {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var scripts []script
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
		if name, ok := strings.CutPrefix(line, "-- "); ok {
			scripts = append(scripts, script{name: strings.TrimSuffix(strings.TrimSpace(name), " --")})
		} else if len(scripts) > 0 {
			scripts[len(scripts)-1].text += line
		}
	}
	return scripts
}

func writeScripts(t testing.TB, file string, scripts []script) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "-- ")
	var out strings.Builder
	out.WriteString(head)
	for _, s := range scripts {
		fmt.Fprintf(&out, "-- %s --\n%s", s.name, s.text)
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func scriptFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	return files
}

// play runs a script and returns it with the outcomes that it really has.
func play(t failer, met *reached, script string) string {
	var out strings.Builder
	var w *world
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if fields[0] == "start" {
			w = newWorld(t, met, started(fields[1:]))
			continue
		}
		for _, said := range w.obey(fields[0], fields[1:]) {
			fmt.Fprintf(&out, "  %s\n", said)
		}
	}
	return out.String()
}

// started: start RIGOR COMPLEXITY,… [retries=N] [criteria=a,b] [review-plans] [imported] [older]
func started(ws words) machine.State {
	var complexities []machine.Complexity
	for c := range strings.SplitSeq(ws[1], ",") {
		complexities = append(complexities, machine.Complexity(c))
	}
	s := fresh(machine.Rigor(ws[0]), complexities...)
	if ws.has("older") { // the program that began it was older, and no other took it up since
		s.Edition = 0
	}
	s.ReviewPlans, s.IsImported = ws.has("review-plans"), ws.has("imported")
	if retries, ok := ws.value("retries"); ok {
		s.RetryBudget.MaxAttempts, _ = strconv.Atoi(retries)
	}
	if criteria, ok := ws.value("criteria"); ok {
		s.Spec.Criteria = strings.Split(criteria, ",")
	}
	return s
}

// obey does one line of a script and says what came of it.
func (w *world) obey(command string, ws words) []string {
	w.t.Helper()
	switch command {
	case "to":
		w.until(ws)
		return []string{w.place()}
	case "show":
		return w.show(ws[0])
	case "twice":
		if err := w.report(w.last); err != nil {
			return []string{"refused: " + err.Error()}
		}
		return []string{w.place()}
	case "older": // the session was closed by a list that did not have this step
		w.s.ClosingDone = slices.DeleteFunc(slices.Clone(w.s.ClosingDone), func(step string) bool { return step == ws[0] })
		return []string{w.place()}
	case "auto": // what is fixed without a person, with as many rounds: that is done
		rounds, _ := strconv.Atoi(ws[0])
		ids := w.s.AutoFix(rounds)
		if len(ids) == 0 {
			return []string{"asks"}
		}
		e := machine.Event{Type: machine.Answered, Fix: ids, Answer: &machine.Answer{Gate: w.s.Gate.ID, Option: "fix", By: machine.ByAutoFix}}
		if err := w.report(e); err != nil {
			return []string{"refused: " + err.Error()}
		}
		return []string{"fixes " + strings.Join(ids, " "), w.place()}
	case "wait":
		minutes, _ := strconv.Atoi(ws[0])
		w.now = w.now.Add(time.Duration(minutes) * time.Minute)
		return nil
	}
	event, ok := scripted[command]
	if !ok {
		w.t.Fatalf("a script has the unknown line %s", command)
	}
	if err := w.report(event(w, ws)); err != nil {
		return []string{"refused: " + err.Error()}
	}
	return []string{w.place()}
}

// until lets all go well up to a place: to STATE [step] [phase=N], or: to gate KIND.
func (w *world) until(ws words) {
	w.t.Helper()
	there := func() bool {
		if ws[0] == "gate" {
			return w.s.Gate != nil && string(w.s.Gate.Kind) == ws[1]
		}
		step := slices.IndexFunc(ws[1:], func(s string) bool { return !strings.Contains(s, "=") })
		_, phased := ws.value("phase")
		return w.s.Gate == nil && string(w.s.CurrentState) == ws[0] && (step < 0 || string(w.s.Step) == ws[1+step]) &&
			(!phased || ws.number("phase") == w.s.CurrentPhase+1)
	}
	for n := 0; !there(); n++ {
		if n > 500 || machine.Next(w.s).Name == machine.StepEnd {
			w.t.Fatalf("never came to %v; it stands at %s", ws, w.place())
		}
		if err := w.report(smooth(w.s)); err != nil {
			w.t.Fatalf("going to %v: %v", ws, err)
		}
	}
}
