package cmd

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/sessions"
	"autopilot/sessions/storage"
	"autopilot/spec"
)

// scriptedPlan is the plan of a phase in a simulation: the user's own in another form, or one that is made up.
type scriptedPlan struct {
	phase spec.Phase
	at    int // 1-based position
	from  string
	plan  *spec.Plan
}

// usersPlans finds the plan of each phase: the one that the session knows, else one that fits among the plans of the
// repository; else two tasks are made up.
func usersPlans(w *app.Workspace, s *spec.Spec) []scriptedPlan {
	plans := make([]scriptedPlan, len(s.Phases))
	state, _, err := sessions.Read(w.Session, app.SessionOptions(w.Host))
	for i, phase := range s.Phases {
		known := ""
		if err == nil && i < len(state.Phases) {
			known = state.Phases[i].PlanPath
		}
		plans[i] = scriptedPlan{phase: phase, at: i + 1}
		if plans[i].from, plans[i].plan = planOf(w, phase, known); plans[i].plan == nil {
			plans[i].plan = madeUp(phase)
		}
	}
	return plans
}

// planOf reads the plan that is known, or the last one in the plan folders that fits; nil where there is none.
func planOf(w *app.Workspace, phase spec.Phase, known string) (string, *spec.Plan) {
	found, _ := storage.Below(storage.OSDisk{}, w.Repo.Root(), "docs", "plans", "*.md")
	topic, _ := storage.Below(storage.OSDisk{}, filepath.Dir(w.Spec), "plans", "*.md")
	for _, file := range append([]string{filepath.Join(w.Repo.Root(), filepath.FromSlash(known))}, newestFirst(append(found, topic...))...) {
		src, err := os.ReadFile(file)
		if err != nil || strings.HasSuffix(file, ".draft.md") {
			continue
		}
		plan, err := spec.ParsePlan(src)
		rel, _ := filepath.Rel(w.Repo.Root(), file)
		if rel = filepath.ToSlash(rel); err == nil && len(plan.Tasks) > 0 && (rel == known || plan.Fits(rel, w.Rel, phase)) {
			return rel, plan
		}
	}
	return "", nil
}

// madeUp is a plan of two tasks, the second of which needs the first.
func madeUp(phase spec.Phase) *spec.Plan {
	return &spec.Plan{Title: phase.Name, Tasks: []spec.Task{
		{Number: "1", Title: "Make the first half of " + phase.Name},
		{Number: "2", Title: "Make the second half of " + phase.Name, DependsOn: []string{"1"}},
	}}
}

// file is where the plan is written.
func (p scriptedPlan) file(dir string) string {
	return path.Join(dir, strings.Trim("simulated-"+fmt.Sprint(p.at)+"-"+spec.PhaseSlug(p.phase.Name), "-")+"-plan.md")
}

// text writes the plan for a simulation: its tasks, their order, files and checkpoints are the plan's, and each is checked
// by whether its files carry its mark. nth tells one version from the next.
func (p scriptedPlan) text(specPath string, nth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n**Spec:** %s\n**Phase:** %s\n\n## Goal\n\nSimulated, version %d.\n\n## Tasks\n", oneText(p.phase.Name), specPath, p.phase.Number, nth)
	for i, t := range p.plan.Tasks {
		m := p.mark(i)
		fmt.Fprintf(&b, "\n### Task %s: %s\n\n**Depends on:** %s\n", t.Number, oneText(t.Title), orNone(taskNames(p.known(t.DependsOn))))
		switch {
		case t.FilesNone:
			b.WriteString("**Files:** none\n")
		default:
			fmt.Fprintf(&b, "**Files:** %s\n", strings.Join(append(p.files(i), m.manifest()), ", "))
		}
		if len(t.ChangesTests) > 0 {
			fmt.Fprintf(&b, "**Changes tests:** %s\n", strings.Join(t.ChangesTests, ", "))
		}
		if t.ValidationNone || t.FilesNone {
			b.WriteString("**Validation:** none\n")
		} else {
			fmt.Fprintf(&b, "**Validation:** `sh %s %s`\n", checkScript, m.manifest())
		}
		p.checkpoints(&b, t.Number)
	}
	return b.String()
}

// checkpoints writes the marks of a task.
func (p scriptedPlan) checkpoints(b *strings.Builder, task string) {
	for _, c := range p.plan.Checkpoints {
		if c.Task != task {
			continue
		}
		fmt.Fprintf(b, "\n[checkpoint:%s] %s\n", c.Kind, oneText(c.Text))
		for i, o := range c.Options {
			fmt.Fprintf(b, "%d. %s\n", i+1, oneText(o))
		}
	}
}

// known leaves out what is no task of the plan: the plan would be sent back for it.
func (p scriptedPlan) known(numbers []string) []string {
	return slices.DeleteFunc(slices.Clone(numbers), func(n string) bool {
		return !slices.ContainsFunc(p.plan.Tasks, func(t spec.Task) bool { return t.Number == n })
	})
}

// files are those that a task makes: what the plan names, without folders and patterns; a made-up task makes its own.
func (p scriptedPlan) files(task int) []string {
	var files []string
	for _, f := range p.plan.Tasks[task].Files {
		if !strings.ContainsAny(f, "*?[`,") && !strings.HasSuffix(f, "/") && filepath.IsLocal(filepath.FromSlash(f)) {
			files = append(files, path.Clean(f))
		}
	}
	if len(files) == 0 {
		files = []string{fmt.Sprintf("simulated/phase-%d-task-%d.txt", p.at, task+1)}
	}
	return files
}

func (p scriptedPlan) mark(task int) mark { return mark{p.at, machine.TaskID(task + 1)} }

func taskNames(numbers []string) string {
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = "Task " + n
	}
	return strings.Join(names, ", ")
}

func orNone(text string) string { return cmp.Or(text, "none") }

// oneText is a text of the user's for a line of Markdown.
func oneText(text string) string {
	return strings.NewReplacer("`", "'", "[", "(", "]", ")", "*", "", "<", "(", ">", ")").Replace(strings.Join(strings.Fields(text), " "))
}

// newestFirst reverses names that begin with a date.
func newestFirst(names []string) []string {
	slices.Sort(names)
	slices.Reverse(names)
	return names
}
