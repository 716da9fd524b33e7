// Package command is the backend that runs an agent program as a child process:
// the prompt goes to its standard input, and what it hands back is read from a
// file, else from the end of its output. The events of a known program, a Preset,
// are read as it works; another backend may put a Speaker in their place.
//
// The program runs with the rights and the environment of the user, a known one
// without the secrets of others. What it does not confine by itself nobody does;
// what it did to the repository is compared by the engine.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/limits"
)

// What may stand in an argument; each is filled in for the dispatch.
const (
	promptFile = "{prompt_file}" // path of a file with the prompt
	replyFile  = "{reply_file}"  // path of the file where the reply goes
	model      = "{model}"
	agent      = "{agent}"
)

// Options of a Backend.
type Options struct {
	// Argv is the program and its arguments. A program whose name has a folder is
	// looked up from the working tree, another in PATH. With a Preset it may be
	// empty: it is where that program lies, and what its arguments get besides.
	Argv    []string
	Preset  *Preset              // nil: nothing is known of the program
	Model   string               // what {model} stands for; "": a preset's own
	Agent   string               // what {agent} stands for: the program's own agent; "": it decides
	BaseURL string               // of a preset: the server that its program asks; "": its own
	KeyEnv  string               // of a preset: the variable that holds the server's key; "": the program's own log-in
	Env     map[string]string    // what the program gets besides the environment
	MCP     []personas.MCPServer // handed to the program, where the persona has their tier
	PassEnv []string             // of a preset: variables with secrets that its program gets all the same
	Environ []string             // KEY=value; nil: the program's own
	Now     func() time.Time     // what the times in a limit are counted from
	Linger  time.Duration        // how long a program may stay after the event that ends its turn; 0: 5 seconds
	// Speaker makes what speaks with the program in one dispatch. nil: the prompt
	// goes to standard input, and the output is read.
	Speaker func() Speaker
}

// Backend runs a persona by a program.
type Backend struct {
	o       Options
	lookout limits.Lookout // of the server that the program asks
}

// New makes a Backend.
func New(o Options) *Backend {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	o.Linger = cmp.Or(o.Linger, linger)
	return &Backend{o: o}
}

// WantsModel says whether an argument names the model.
func WantsModel(argv []string) bool { return mentions(argv, model) }

// WantsAgent says whether an argument names the program's own agent.
func WantsAgent(argv []string) bool { return mentions(argv, agent) }

// TakesAgent says whether the program can be told which of its own agents is to work.
func (b *Backend) TakesAgent() bool {
	return b.o.Preset != nil && b.o.Preset.Agents || mentions(b.o.Argv, agent)
}

// Check says whether the program could be started in dir. The error is a
// *process.StartError.
func (b *Backend) Check(dir string) error {
	return process.Command{Argv: []string{b.program()}, Dir: dir, Env: b.environ(call{}, nil)}.Check()
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
// may start. So are secrets that a known program is not meant to have. Later
// entries win.
func (b *Backend) environ(c call, dispatch map[string]string) []string {
	env := slices.DeleteFunc(slices.Clone(b.o.Environ), func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(kv, "AUTOPILOT_") || b.o.Preset != nil && b.o.Preset.dropped(name, c) || b.withheld(name, value) && !c.names(name)
	})
	var known map[string]string
	if b.o.Preset != nil {
		known = b.o.Preset.environment(c)
	}
	for _, more := range []map[string]string{known, b.o.Env, dispatch} {
		for _, name := range slices.Sorted(maps.Keys(more)) {
			env = append(env, name+"="+more[name])
		}
	}
	return env
}

// argv fills in what stands for something in the arguments.
func (b *Backend) argv(c call, prompt, reply string) []string {
	fill := strings.NewReplacer(promptFile, prompt, replyFile, reply, model, b.o.Model, agent, b.o.Agent)
	argv := b.o.Argv
	if b.o.Preset != nil {
		argv = append([]string{b.program()}, b.o.Preset.arguments(c)...)
	}
	filled := make([]string, len(argv))
	for i, arg := range argv {
		filled[i] = fill.Replace(arg)
	}
	return filled
}

func mentions(argv []string, what string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, what) })
}
