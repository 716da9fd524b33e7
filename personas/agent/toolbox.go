package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"autopilot/personas"
)

const submitReply = "submit_reply"

// toolbox is the tools of one dispatch, bound to its tree and its rights.
type toolbox struct {
	d       personas.Dispatch
	tree    *tree
	environ []string
	longest time.Duration // of a command
	beat    func()
	list    []tool
	reply   *personas.Reply // the last valid one that was submitted
}

// tool is what a model may call. An error goes back to the model as a text that
// it can act on.
type tool struct {
	name, about string
	parameters  string // JSON schema
	run         func(ctx context.Context, arguments []byte) (string, error)
}

func (a *Agent) toolbox(d personas.Dispatch, t *tree, l *limits) *toolbox {
	b := &toolbox{d: d, tree: t, longest: a.o.CommandTimeout, beat: l.beat}
	b.environ = commandEnviron(a.o.Environ, d.Env)
	may := d.Persona.Allows
	offer := func(ok bool, tools ...tool) {
		if ok {
			b.list = append(b.list, tools...)
		}
	}
	offer(may(personas.MayRead), b.readFile(), b.listFiles(), b.search(), b.gitDiff(), b.gitShow())
	offer(may(personas.MayWrite) || may(personas.MayPlan), b.writeFile(), b.editFile())
	offer(may(personas.MayRun), b.runCommand())
	offer(d.ScratchpadDir != "", b.scratchpadWrite())
	if len(d.Persona.Tools) > 0 {
		b.list = slices.DeleteFunc(b.list, func(t tool) bool { return !slices.Contains(d.Persona.Tools, t.name) })
	}
	offer(true, b.submitReply())
	return b
}

// descriptions is what the model is told.
func (b *toolbox) descriptions() []personas.Tool {
	out := make([]personas.Tool, len(b.list))
	for i, t := range b.list {
		out[i] = personas.Tool{Name: t.name, Description: t.about, Parameters: json.RawMessage(t.parameters)}
	}
	return out
}

func (b *toolbox) call(ctx context.Context, call personas.Call) (string, error) {
	for _, t := range b.list {
		if t.name == call.Name {
			return t.run(ctx, []byte(call.Arguments))
		}
	}
	names := make([]string, len(b.list))
	for i, t := range b.list {
		names[i] = t.name
	}
	return "", fmt.Errorf("there is no tool %q for you; yours are %s", call.Name, strings.Join(names, ", "))
}

// define makes a tool of a function over its arguments' type.
func define[T any](name, about, parameters string, run func(ctx context.Context, args T) (string, error)) tool {
	return tool{name: name, about: about, parameters: parameters, run: func(ctx context.Context, arguments []byte) (string, error) {
		var args T
		if err := decode(arguments, &args); err != nil {
			return "", fmt.Errorf("the arguments of %s are not right: %w; its schema is %s", name, err, compact(parameters))
		}
		return run(ctx, args)
	}}
}

// decode takes no unknown keys: a misspelt one would otherwise be left out in
// silence, and the call do something else than was meant.
func decode(arguments []byte, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after the JSON object")
	}
	return nil
}

func compact(schema string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(schema)) != nil {
		return schema
	}
	return out.String()
}

func (b *toolbox) submitReply() tool {
	return tool{
		name: submitReply, parameters: string(personas.Schema()),
		about: "Hand in your reply and finish. Call it once, as the last thing you do.",
		run: func(_ context.Context, arguments []byte) (string, error) {
			reply, err := personas.ParseReply(arguments)
			if err == nil {
				err = b.d.Persona.CheckOwed(reply)
			}
			if err != nil {
				return "", err
			}
			b.reply = &reply
			return "taken", nil
		},
	}
}
