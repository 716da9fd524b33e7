package toolbox

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

const SubmitReply = "submit_reply"

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

// Box is the tools of one dispatch, bound to its tree and its rights.
type Box struct {
	Dispatch personas.Dispatch
	tree     *Tree
	environ  []string
	confined Confinement
	longest  time.Duration // of a command
	Beat     func()
	Mask     *personas.Mask
	told     map[string]bool                                               // what of the calls was read in another way: see Read
	Hand     func(context.Context, personas.Reply) (personas.Reply, error) // takes a reply that is well formed, or says why not
	Archive  *Archive
	List     []Tool
	Reply    *personas.Reply // the last valid one that was submitted
}

// Tool is what a model may call. An error goes back to the model as a text that
// it can act on.
type Tool struct {
	Name, About string
	Tier        personas.Tier
	Parameters  string // JSON schema
	Run         func(ctx context.Context, arguments []byte) (string, error)
	closed      bool // takes what its schema names, and nothing else
}

// Settings are what the commands of a model are held to.
type Settings struct {
	Longest  time.Duration // of a command
	Environ  []string
	Passed   []string // names of secrets that commands get
	Confined Confinement
}

// New fills the box for a dispatch.
func New(d personas.Dispatch, t *Tree, set Settings, beat func(), mask *personas.Mask) *Box {
	b := &Box{Dispatch: d, tree: t, longest: set.Longest, Beat: beat, told: map[string]bool{}, Mask: mask, confined: set.Confined}
	b.environ = commandEnviron(set.Environ, set.Passed, d.Env)
	if b.confined.Sandbox {
		b.environ = append(b.environ, "TMPDIR=/tmp")
	}
	offer := func(t personas.Tier, tools ...Tool) {
		for _, offered := range tools {
			if offered.Tier = t; granted(d.Persona, t) {
				b.List = append(b.List, offered)
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
	if len(d.Persona.Tools) > 0 {
		b.List = slices.DeleteFunc(b.List, func(t Tool) bool { return !slices.Contains(d.Persona.Tools, t.Name) })
	}
	b.List = append(b.List, b.submitReply())
	return b
}

// Descriptions is what the model is told.
func (b *Box) Descriptions() []personas.Tool {
	out := make([]personas.Tool, len(b.List))
	for i, t := range b.List {
		out[i] = personas.Tool{Name: t.Name, Description: t.About, Parameters: json.RawMessage(t.Parameters)}
	}
	return out
}

// Call runs a tool, and tells its tier.
func (b *Box) Call(ctx context.Context, call personas.Call) (string, personas.Tier, error) {
	if call.Problem != "" {
		return "", "", errors.New(call.Problem)
	}
	for _, t := range b.List {
		if t.Name == call.Name {
			result, err := t.Run(ctx, []byte(call.Arguments))
			return result, t.Tier, err
		}
	}
	names := make([]string, len(b.List))
	for i, t := range b.List {
		names[i] = t.Name
	}
	return "", "", fmt.Errorf("there is no tool %q for you; yours are %s", call.Name, strings.Join(names, ", "))
}

// define makes a tool of a function over its arguments' type.
func define[T any](name, about, parameters string, run func(ctx context.Context, args T) (string, error)) Tool {
	required := propertyOf(parameters).Required
	return Tool{Name: name, About: about, Parameters: parameters, closed: true, Run: func(ctx context.Context, arguments []byte) (string, error) {
		var args T
		err := Decode(arguments, &args)
		if err == nil {
			err = lacking(arguments, required)
		}
		if err != nil {
			return "", fmt.Errorf("the arguments of %s are not right: %w; its schema is %s", name, err, Compact(parameters))
		}
		return run(ctx, args)
	}}
}

// lacking says which argument is missing. None is taken as empty: an edit would take away what it was to replace.
func lacking(arguments []byte, required []string) error {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &given) // it was decoded before
	for _, name := range required {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return nil
}

// Decode takes the arguments as Read left them, and no keys that it did not know.
func Decode(arguments []byte, into any) error {
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

// Compact is a schema without white space.
func Compact(schema string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(schema)) != nil {
		return schema
	}
	return out.String()
}

func (b *Box) submitReply() Tool {
	return Tool{
		Name: SubmitReply, Parameters: ReplySchema(b.Dispatch), Tier: personas.TierRead,
		About: "Hand in your reply: once, last.",
		Run: func(ctx context.Context, arguments []byte) (string, error) {
			reply, err := personas.ParseReply(arguments)
			if err == nil {
				err = b.Dispatch.Persona.CheckOwed(reply)
			}
			if err == nil {
				reply, err = b.Hand(ctx, reply)
			}
			if err != nil {
				return "", err
			}
			b.Reply = &reply
			return "taken", nil
		},
	}
}
