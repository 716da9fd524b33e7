package simulate

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/personas/chaos"
)

// stage knows the honest work of every dispatch of a run.
type stage struct {
	*Simulation
	tree  string // of the run
	state func() machine.State

	mu     sync.Mutex
	begun  []piece // what tasks were dispatched to make, each once
	nthFix int
}

// piece is what one task makes.
type piece struct {
	mark  mark
	files []string
}

func pieceOf(phase int, t machine.Task) piece {
	p := piece{mark: mark{phase, t.ID}}
	p.files = slices.DeleteFunc(slices.Clone(t.Files), func(f string) bool { return f == p.mark.manifest() })
	return p
}

// Work is what the persona would do.
func (s *stage) Work(d personas.Dispatch, nth int) (chaos.Work, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	work := chaos.Work{
		Reply: personas.Reply{V: personas.ReplyVersion, Status: personas.StatusDone, Summary: "Simulated."},
		Props: chaos.Props{Test: standInTest, Check: checkScript, Users: inTree(s.tree, usersFile), Spec: inTree(s.tree, s.rel)},
	}
	for _, p := range s.begun {
		if p.mark != (mark{d.Key.Phase, d.Key.Task}) && exists(d.Dir, p.mark.manifest()) {
			work.Earlier = append(work.Earlier, p.files...)
		}
	}
	switch {
	case d.Persona.Name == personas.Planner && d.Purpose == personas.Skeleton:
		work.Reply.Summary = "The tasks of the plan, in its order."
	case d.Persona.Name == personas.Planner:
		err := s.plan(d, nth, &work)
		return work, err
	case d.Persona.Name == personas.Executor:
		s.execute(d, nth, &work)
	case d.Persona.Name == personas.Reviewer && d.Purpose == personas.Final:
		for _, text := range s.spec.Criteria {
			work.Reply.Criteria = append(work.Reply.Criteria, personas.Criterion{Text: text, Satisfied: true, Confidence: personas.High, Evidence: checkScript})
		}
	}
	return work, nil
}

func (s *stage) plan(d personas.Dispatch, nth int, work *chaos.Work) error {
	dir, err := filepath.Rel(d.Dir, d.PlanDirs[0])
	p := s.plans[d.Key.Phase-1]
	work.Reply.PlanPath = p.file(filepath.ToSlash(dir))
	work.Writes = []chaos.Write{{Path: work.Reply.PlanPath, Text: p.text(s.rel, nth)}}
	return err
}

func (s *stage) execute(d personas.Dispatch, nth int, work *chaos.Work) {
	task, _ := s.state().Task(d.Key.Task)
	if task.Kind != machine.KindPlan {
		work.Writes = s.repairs(d, task)
		return
	}
	if task.FilesNone {
		return
	}
	p := pieceOf(d.Key.Phase, task)
	for _, f := range p.files {
		work.Writes = append(work.Writes, added(d.Dir, f, p.mark.line(f, nth)))
	}
	work.Writes = append(work.Writes, chaos.Write{Path: p.mark.manifest(), Text: p.mark.String() + "\n" + strings.Join(p.files, "\n") + "\n"})
	work.Own = p.files
	s.begun = append(slices.DeleteFunc(s.begun, func(known piece) bool { return known.mark == p.mark }), p)
}

// repairs are the work of a fix: every mark that was made is there again, and so are the check and the test. A note says
// that there was a fix, for nothing else may be wrong.
func (s *stage) repairs(d personas.Dispatch, task machine.Task) []chaos.Write {
	writes := []chaos.Write{{Path: checkScript, Text: checkText}, {Path: standInTest, Text: testText}}
	for _, p := range s.begun {
		if !exists(d.Dir, p.mark.manifest()) {
			continue
		}
		for _, f := range p.files {
			if !strings.Contains(textOf(d.Dir, f), p.mark.String()) {
				writes = append(writes, added(d.Dir, f, p.mark.line(f, 0)))
			}
		}
	}
	s.nthFix++
	file := "simulated/fixes.txt"
	if task.Finding != nil && exists(d.Dir, task.Finding.File) && path.Ext(task.Finding.File) == ".txt" {
		file = task.Finding.File
	}
	return append(writes, added(d.Dir, file, mark{d.Key.Phase, task.ID}.line(file, s.nthFix)))
}

// added is a file with a line more at its end.
func added(dir, file, line string) chaos.Write {
	text := textOf(dir, file)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return chaos.Write{Path: file, Text: text + line + "\n"}
}

func inTree(dir, file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }

func textOf(dir, file string) string {
	data, _ := os.ReadFile(inTree(dir, file)) // one that is not there is empty
	return string(data)
}

func exists(dir, file string) bool {
	info, err := os.Lstat(inTree(dir, file))
	return err == nil && info.Mode().IsRegular()
}
