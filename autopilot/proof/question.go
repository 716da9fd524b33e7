package proof

import (
	"slices"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/validate"
)

// Question is what the old tests are asked: whether the work, which is what a commit has but for some changes, still does
// what they want.
type Question struct {
	Base      string // the commit
	Changes   []Change
	Scripts   map[string]bool // files that the commands run, by path
	Commands  []Command       // those that passed on the work
	Whole     bool            // it is asked also where files with tests were added, and nothing else judges
	Announced []string        // paths whose change the plan announces
	Believe   bool            // what is announced stays as the work has it
	without   bool            // and where that rests on more than the plan announces: it is left out
}

// About is a question about some work on a commit; the commands are missing. A new script decided nothing before.
func About(base string, work []git.Change, scripts []string) Question {
	q := Question{Base: base, Scripts: map[string]bool{}}
	for _, c := range work {
		q.Changes = append(q.Changes, Change{Path: c.Path, Old: c.OldPath, New: c.Status == 'A'})
	}
	for _, script := range scripts {
		q.Scripts[script] = !slices.Contains(q.Changes, Change{Path: script, New: true})
	}
	return q
}

// Command is one that passed on the work, in the tree that the work was made in.
type Command struct {
	validate.Validation

	Ran  int           // how many tests did; 0: not known
	Took time.Duration `json:"-"` // another one each time
}

// Moot says whether nothing was touched that could make a difference.
func (q Question) Moot() bool {
	s := q.swap(true)
	return s.Empty() || s.Adds() && !q.Whole
}

// swap is what is swapped for the question.
func (q Question) swap(both bool) Swap {
	s := Old(q.Changes, q.Scripts, both)
	if q.Believe {
		s.Back, s.Out = without(s.Back, q.Announced), without(s.Out, q.Announced)
	}
	if q.without {
		s.Gone = q.Announced
	}
	return s
}

// paths are what is brought from the work: what it changed, but for what is swapped.
func (q Question) paths(s Swap) (paths []string) {
	for _, c := range q.Changes {
		paths = append(paths, c.Path)
		if c.Old != "" {
			paths = append(paths, c.Old)
		}
	}
	return without(paths, slices.Concat(s.Back, s.Out))
}

func without(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
}
