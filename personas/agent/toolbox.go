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

// granted says whether a persona has the agent's own tools of a tier, by what its
// file says that it may do. One that may plan writes too, but only plans: see
// tree.writable.
func granted(p personas.Persona, t personas.Tier) bool {
	switch t {
	case personas.TierRead:
		return p.Allows(personas.MayRead)
	case personas.TierWrite:
		return p.Allows(personas.MayWrite) || p.Allows(personas.MayPlan)
	}
	return p.Allows(personas.MayRun)
}

// toolbox is the tools of one dispatch, bound to its tree and its rights.
type toolbox struct {
	d        personas.Dispatch
	tree     *tree
	environ  []string
	confined Confinement
	longest  time.Duration // of a command
	beat     func()
	mask     *personas.Mask
	hand     func(context.Context, personas.Reply) (personas.Reply, error) // takes a reply that is well formed, or says why not
	archive  *archive
	list     []tool
	notes    []string        // of step_note
	reply    *personas.Reply // the last valid one that was submitted
}

// tool is what a model may call. An error goes back to the model as a text that
// it can act on.
type tool struct {
	name, about string
	tier        personas.Tier
	parameters  string // JSON schema
	run         func(ctx context.Context, arguments []byte) (string, error)
}

// toolSettings are what the commands of a model are held to.
type toolSettings struct {
	longest  time.Duration // of a command
	environ  []string
	passed   []string // names of secrets that commands get
	confined Confinement
}

func newToolbox(d personas.Dispatch, t *tree, set toolSettings, beat func(), mask *personas.Mask) *toolbox {
	b := &toolbox{d: d, tree: t, longest: set.longest, beat: beat, mask: mask, confined: set.confined}
	b.environ = commandEnviron(set.environ, set.passed, d.Env)
	if b.confined.Sandbox {
		b.environ = append(b.environ, "TMPDIR=/tmp")
	}
	offer := func(t personas.Tier, tools ...tool) {
		for _, offered := range tools {
			if offered.tier = t; granted(d.Persona, t) {
				b.list = append(b.list, offered)
			}
		}
	}
	offer(personas.TierRead, b.readFile(), b.listFiles(), b.search(), b.gitDiff(), b.gitShow())
	offer(personas.TierWrite, b.writeFile(), b.editFile())
	if t.anywhere {
		offer(personas.TierWrite, b.applyPatch())
	}
	offer(personas.TierDestructive, b.runCommand())
	if d.ScratchpadDir != "" {
		offer(personas.TierRead, b.scratchpadWrite())
	}
	offer(personas.TierRead, b.stepNote())
	if len(d.Persona.Tools) > 0 {
		b.list = slices.DeleteFunc(b.list, func(t tool) bool { return !slices.Contains(d.Persona.Tools, t.name) })
	}
	b.list = append(b.list, b.submitReply())
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

// call runs a tool, and tells its tier.
func (b *toolbox) call(ctx context.Context, call personas.Call) (string, personas.Tier, error) {
	if call.Problem != "" {
		return "", "", errors.New(call.Problem)
	}
	for _, t := range b.list {
		if t.name == call.Name {
			result, err := t.run(ctx, []byte(call.Arguments))
			return result, t.tier, err
		}
	}
	names := make([]string, len(b.list))
	for i, t := range b.list {
		names[i] = t.name
	}
	return "", "", fmt.Errorf("there is no tool %q for you; yours are %s", call.Name, strings.Join(names, ", "))
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
	arguments = bytes.TrimSpace(arguments)
	var text string
	if json.Unmarshal(arguments, &text) == nil { // some models encode the object twice
		arguments = []byte(text)
	}
	if len(arguments) == 0 {
		arguments = []byte("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("they end in the middle; when that is because the answer became too long, do it in several smaller calls")
	}
	if err != nil {
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
		name: submitReply, parameters: replySchema(b.d.Persona), tier: personas.TierRead,
		about: "Hand in your reply: once, last.",
		run: func(ctx context.Context, arguments []byte) (string, error) {
			reply, err := personas.ParseReply(arguments)
			if err == nil {
				err = b.d.Persona.CheckOwed(reply)
			}
			if err == nil {
				reply, err = b.hand(ctx, reply)
			}
			if err != nil {
				return "", err
			}
			b.reply = &reply
			return "taken", nil
		},
	}
}
