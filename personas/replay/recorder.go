package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// ChatModel is what a Recorder listens to.
type ChatModel interface {
	Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error)
}

// Recorder writes a replay file of what models answer. It is safe for concurrent use.
type Recorder struct {
	path string
	mask *personas.Mask // of secrets; nil: nothing is masked

	mu  sync.Mutex
	doc document
}

// NewRecorder records to a file. What an earlier run recorded there stays, and is gone on with.
func NewRecorder(path string, mask *personas.Mask) (*Recorder, error) {
	r := &Recorder{path: path, mask: mask, doc: document{Version: 1}}
	src, err := plainfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, r.write() // a folder that cannot be written is known before anybody is paid
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was recorded: %w", err)
	}
	known, err := Parse(path, src)
	if err != nil {
		return nil, fmt.Errorf("%w\nRecord to another folder, or remove the file", err)
	}
	r.doc.Dispatches = known.dispatches
	return r, nil
}

// Model is a model that is recorded as a dispatch. A dispatch that was cut off, and is made again, goes on in the record:
// what was done before stands in the tree.
func (r *Recorder) Model(key personas.Key, of ChatModel) ChatModel {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.dispatch(key)
	d.Turns = withoutReplies(d.Turns)
	return &recordedModel{recorder: r, key: key, of: of}
}

// withoutReplies are the turns of a dispatch that was cut off. Nobody took what it submitted, or it would not be made again;
// played, it would be taken, and be the end.
func withoutReplies(turns []*turn) []*turn {
	return slices.DeleteFunc(turns, func(t *turn) bool {
		submits, all := t.Reply != nil, len(t.Calls)
		t.Reply = nil
		t.Calls = slices.DeleteFunc(t.Calls, func(call yaml.Node) bool { return call.Content[0].Value == submitReply })
		return len(t.Calls) == 0 && (all > 0 || submits)
	})
}

type recordedModel struct {
	recorder *Recorder
	key      personas.Key
	of       ChatModel
}

// Turn asks the model, and records what it answers. An answer that cannot be recorded is none.
func (m *recordedModel) Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	answer, used, err := m.of.Turn(ctx, messages, tools)
	var end *personas.EndError
	if errors.As(err, &end) && slices.Contains(faults, string(end.Kind)) { // it spends the attempt, which is to fail again
		fault := &turn{Fault: string(end.Kind), Detail: m.recorder.mask.Replace(end.Detail)}
		return answer, used, errors.Join(err, m.recorder.keep(m.key, fault))
	}
	if err != nil {
		return answer, used, err
	}
	if err := m.recorder.add(m.key, answer, used); err != nil {
		return answer, used, fmt.Errorf("recording the model's answer: %w", err)
	}
	return answer, used, nil
}

// Finish has nothing to say. It is there because a model that has it is asked for no summaries, which a replay could not give.
func (m *recordedModel) Finish() error { return nil }

func (r *Recorder) add(key personas.Key, answer personas.Message, used personas.Usage) error {
	if answer.Content == "" && len(answer.Calls) == 0 {
		return nil // silence needs no playing
	}
	t := &turn{Text: text(r.mask.Replace(answer.Content))}
	for _, call := range answer.Calls {
		name := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: call.Name}
		value := arguments(r.mask.Replace(call.Arguments))
		t.Calls = append(t.Calls, yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{&name, &value}})
	}
	t.Usage = usage{Input: used.InputTokens, Cached: used.CachedTokens, Output: used.OutputTokens, Cost: used.CostUSD}
	return r.keep(key, t)
}

func (r *Recorder) keep(key personas.Key, t *turn) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.dispatch(key)
	d.Turns = append(d.Turns, t)
	return r.write()
}

// dispatch is the record of a dispatch, until the next one is asked for.
func (r *Recorder) dispatch(key personas.Key) *dispatch {
	key.Attempt = max(1, key.Attempt)
	at := slices.IndexFunc(r.doc.Dispatches, func(d dispatch) bool { return d.Key == key })
	if at < 0 {
		at = len(r.doc.Dispatches)
		r.doc.Dispatches = append(r.doc.Dispatches, dispatch{Key: key})
	}
	return &r.doc.Dispatches[at]
}

// text is what a model says.
type text string

// MarshalYAML has it written so that it is read as a file is.
func (t text) MarshalYAML() (any, error) {
	return legible(yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(t)}), nil
}

// arguments are JSON, which YAML reads; what is no object is kept as the text that it is.
func arguments(text string) yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) == nil && len(doc.Content) == 1 && doc.Content[0].Kind == yaml.MappingNode && json.Valid([]byte(text)) {
		return legible(*doc.Content[0])
	}
	return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
}

// legible lets the encoder choose how texts are written, so that files are read as files. Where it would change one, as it
// does with some line ends, all of them are quoted.
func legible(n yaml.Node) yaml.Node {
	style(&n, 0)
	data, err := yaml.Marshal(&n)
	var again, want any
	if err == nil {
		err = errors.Join(yaml.Unmarshal(data, &again), n.Decode(&want))
	}
	if err != nil || !reflect.DeepEqual(again, want) {
		style(&n, yaml.DoubleQuotedStyle)
	}
	return n
}

func style(n *yaml.Node, s yaml.Style) {
	n.Style = 0
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.Style = s
	}
	for _, c := range n.Content {
		style(c, s)
	}
}

// write writes the file whole, or not at all. A dispatch that has said nothing yet is left out.
func (r *Recorder) write() error {
	said := r.doc
	said.Dispatches = slices.DeleteFunc(slices.Clone(said.Dispatches), func(d dispatch) bool { return len(d.Turns) == 0 })
	var text bytes.Buffer
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(said), enc.Close()); err != nil {
		return err
	}
	return plainfile.Replace(r.path, text.Bytes())
}
