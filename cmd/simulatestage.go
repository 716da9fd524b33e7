package cmd

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
	"autopilot/spec"
)

// stage knows the honest work of every dispatch of a simulation.
type stage struct {
	spec  *spec.Spec
	rel   string // the spec's path
	dir   string // of the run's repository
	plans []scriptedPlan
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
	for _, f := range t.Files {
		if f != p.mark.manifest() {
			p.files = append(p.files, f)
		}
	}
	return p
}

// Work is what the persona would do.
func (s *stage) Work(d personas.Dispatch, nth int) (chaos.Work, error) {
	work := chaos.Work{Reply: done("Simulated."), Props: chaos.Props{Test: standInTest, Check: checkScript, Users: s.inTree(usersFile), Spec: s.inTree(s.rel), Earlier: s.standing(d)}}
	switch d.Persona.Name {
	case personas.Planner:
		return s.plan(d, nth, work)
	case personas.Executor:
		return s.execute(d, nth, work)
	case personas.Reviewer:
		if d.Purpose == personas.Final {
			work.Reply.Criteria = s.satisfied()
		}
	}
	return work, nil
}

func (s *stage) inTree(file string) string { return filepath.Join(s.dir, filepath.FromSlash(file)) }

func done(summary string) personas.Reply {
	return personas.Reply{V: personas.ReplyVersion, Status: personas.StatusDone, Summary: summary}
}

// satisfied is the word of a reviewer who is content.
func (s *stage) satisfied() []personas.Criterion {
	var list []personas.Criterion
	for _, text := range s.spec.Criteria {
		list = append(list, personas.Criterion{Text: text, Satisfied: true, Confidence: personas.High, Evidence: checkScript})
	}
	return list
}

func (s *stage) plan(d personas.Dispatch, nth int, work chaos.Work) (chaos.Work, error) {
	if d.Purpose == personas.Skeleton {
		work.Reply.Summary = "The tasks of the plan, in its order."
		return work, nil
	}
	dir, err := filepath.Rel(d.Dir, d.PlanDirs[0])
	if err != nil {
		return work, err
	}
	p := s.plans[d.Key.Phase-1]
	file := p.file(filepath.ToSlash(dir))
	work.Writes = []chaos.Write{{Path: file, Text: p.text(s.rel, nth)}}
	work.Reply.PlanPath = file
	return work, nil
}

func (s *stage) execute(d personas.Dispatch, nth int, work chaos.Work) (chaos.Work, error) {
	state := s.state()
	task, _ := state.Task(d.Key.Task)
	if task.Kind != machine.KindPlan {
		work.Writes = s.repairs(d, task)
		return work, nil
	}
	if task.FilesNone {
		return work, nil
	}
	p := pieceOf(d.Key.Phase, task)
	for _, f := range p.files {
		work.Writes = append(work.Writes, chaos.Write{Path: f, Text: withLine(d.Dir, f, p.mark.line(f, nth))})
	}
	work.Writes = append(work.Writes, chaos.Write{Path: p.mark.manifest(), Text: p.mark.list(p.files)})
	work.Props.Own = p.files
	s.note(p)
	return work, nil
}

func (s *stage) note(p piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = slices.DeleteFunc(s.begun, func(known piece) bool { return known.mark == p.mark })
	s.begun = append(s.begun, p)
}

// pieces are those that some task was dispatched to make.
func (s *stage) pieces() []piece {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.begun)
}

// standing lists the files of other tasks that are in the working tree.
func (s *stage) standing(d personas.Dispatch) []string {
	var files []string
	for _, p := range s.pieces() {
		if p.mark.phase == d.Key.Phase && p.mark.task == d.Key.Task || !exists(d.Dir, p.mark.manifest()) {
			continue
		}
		files = append(files, p.files...)
	}
	return files
}

// repairs are the work of a fix: every mark that was made is there again, and so are the check and the test. A note says
// that there was a fix, for nothing else may be wrong.
func (s *stage) repairs(d personas.Dispatch, task machine.Task) []chaos.Write {
	writes := []chaos.Write{{Path: checkScript, Text: checkText}, {Path: standInTest, Text: testText}}
	for _, p := range s.pieces() {
		if !exists(d.Dir, p.mark.manifest()) {
			continue
		}
		for _, f := range p.files {
			if !strings.Contains(textOf(d.Dir, f), p.mark.String()) {
				writes = append(writes, chaos.Write{Path: f, Text: withLine(d.Dir, f, p.mark.line(f, 0))})
			}
		}
	}
	s.mu.Lock()
	s.nthFix++
	n := s.nthFix
	s.mu.Unlock()
	note := mark{d.Key.Phase, task.ID}
	file := "simulated/fixes.txt"
	if task.Finding != nil && exists(d.Dir, task.Finding.File) && path.Ext(task.Finding.File) == ".txt" {
		file = task.Finding.File
	}
	return append(writes, chaos.Write{Path: file, Text: withLine(d.Dir, file, note.line(file, n))})
}

// withLine is the text of a file with a line at its end.
func withLine(dir, file, line string) string {
	text := textOf(dir, file)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line + "\n"
}

func textOf(dir, file string) string {
	data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))) // one that is not there is empty
	return string(data)
}

func exists(dir, file string) bool {
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(file)))
	return err == nil && info.Mode().IsRegular()
}
