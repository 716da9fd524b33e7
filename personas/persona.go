package personas

import "slices"

// Name of a persona.
type Name string

// The personas.
const (
	Planner  Name = "planner"
	Executor Name = "executor"
	Verifier Name = "verifier"
	Reviewer Name = "reviewer"
)

// What a persona may do.
const (
	MayRead  = "read"  // files of the working tree, and git's history
	MayPlan  = "plan"  // write Markdown in the folders for plans
	MayWrite = "write" // write files of the working tree
	MayRun   = "run"   // run commands
)

// Persona is a role: what it may do, and its method as Markdown.
type Persona struct {
	Name    Name
	Backend string   // "": the configuration decides
	Model   string   // "": the backend's own
	Agent   string   // the agent of an agent program that plays it
	May     []string // of MayRead, MayPlan, MayWrite, MayRun
	Tools   []string // tools of the built-in loop; empty: all that May allows
	Owes    []string // fields that a reply with status done cannot leave out
	Body    string   // its method
}

// Allows says whether the persona may do it.
func (p Persona) Allows(what string) bool { return slices.Contains(p.May, what) }

// ReadOnly says whether nothing that the persona does is meant to change the
// working tree. Files that its commands leave there are saved and taken away.
func (p Persona) ReadOnly() bool { return !p.Allows(MayWrite) && !p.Allows(MayPlan) }
