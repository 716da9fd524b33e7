// Package command is the backend that runs an agent program as a child process:
// the prompt goes to its standard input, and what it hands back is read from a
// file, else from the end of its output.
//
// The program runs with the rights and the environment of the user. It is not
// confined; what it did to the repository is compared by the engine.
package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

// What may stand in an argument; each is filled in for the dispatch.
const (
	promptFile = "{prompt_file}" // path of a file with the prompt
	replyFile  = "{reply_file}"  // path of the file where the reply goes
	model      = "{model}"
)

// Options of a Backend.
type Options struct {
	// Argv is the program and its arguments. A program whose name has a folder is
	// looked up from the working tree, another in PATH.
	Argv    []string
	Model   string            // what {model} stands for
	Env     map[string]string // what the program gets besides the environment
	Environ []string          // KEY=value; nil: the program's own
}

// Backend runs a persona by a program.
type Backend struct{ o Options }

// New makes a Backend.
func New(o Options) *Backend {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return &Backend{o}
}

// WantsModel says whether an argument names the model.
func WantsModel(argv []string) bool { return mentions(argv, model) }

// Check says whether the program could be started in dir. The error is a
// *process.StartError.
func (b *Backend) Check(dir string) error {
	return process.Command{Argv: b.o.Argv, Dir: dir, Env: b.environ(nil)}.Check()
}

// Dispatch runs the program, and once more where its reply has to be mended. A
// program that cannot be started is an error.
func (b *Backend) Dispatch(ctx context.Context, d personas.Dispatch) (personas.Outcome, error) {
	w, err := b.open(d)
	if err != nil {
		return personas.Outcome{}, err
	}
	out, err := w.dispatch(ctx)
	if err = errors.Join(err, w.close()); err != nil {
		return out, fmt.Errorf("%s: %w", d.Key, err)
	}
	return out, nil
}

// environ is the environment of the program. Variables that configure autopilot
// are left out: they are wishes for this run, and not for one that the program
// may start. Later entries win.
func (b *Backend) environ(dispatch map[string]string) []string {
	env := slices.DeleteFunc(slices.Clone(b.o.Environ), func(kv string) bool { return strings.HasPrefix(kv, "AUTOPILOT_") })
	for _, more := range []map[string]string{b.o.Env, dispatch} {
		for _, name := range slices.Sorted(maps.Keys(more)) {
			env = append(env, name+"="+more[name])
		}
	}
	return env
}

// argv fills in what stands for something in the arguments.
func (b *Backend) argv(prompt, reply string) []string {
	fill := strings.NewReplacer(promptFile, prompt, replyFile, reply, model, b.o.Model)
	filled := make([]string, len(b.o.Argv))
	for i, arg := range b.o.Argv {
		filled[i] = fill.Replace(arg)
	}
	return filled
}

func mentions(argv []string, what string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, what) })
}
