package config

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// leaf is a type that a value can have: its name for people and its reader.
// Readers are strict: text that looks like a number is not a number's cousin,
// and yes is not true.
type leaf struct {
	name string
	read func(*yaml.Node) (any, error)
}

var types = map[reflect.Type]leaf{
	reflect.TypeFor[string]():        {"string", readText},
	reflect.TypeFor[bool]():          {"true or false", readBool},
	reflect.TypeFor[*bool]():         {"true or false", readBool},
	reflect.TypeFor[int]():           {"whole number", readInt},
	reflect.TypeFor[float64]():       {"number", readFloat},
	reflect.TypeFor[time.Duration](): {"duration", readDuration},
	reflect.TypeFor[[]string]():      {"list of strings", readTexts},
	reflect.TypeFor[Commands]():      {"list of commands, or none", readCommands},
	reflect.TypeFor[Webhooks]():      {"list of webhooks", readWebhooks},
}

func (it *item) read(n *yaml.Node) (any, error) {
	n = resolve(n)
	if n.ShortTag() == "!!null" {
		return nil, fault(n, "has no value").hint("give it one, or remove the line")
	}
	v, err := types[it.typ].read(n)
	if err != nil {
		return nil, err
	}
	if problem := it.check(v); problem != "" {
		return nil, fault(n, "%s", problem)
	}
	return v, nil
}

// readString reads a value that is given as text: a variable, a default, a
// flag. A list may be written as in a file; other text is a list of one.
func (it *item) readString(text string) (any, error) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(text)}
	texts, commands := it.typ == reflect.TypeFor[[]string](), it.typ == reflect.TypeFor[Commands]()
	switch {
	case (texts || commands || it.typ == reflect.TypeFor[Webhooks]()) && strings.HasPrefix(strings.TrimSpace(text), "["):
		if err := yaml.Unmarshal([]byte(text), n); err != nil {
			return nil, &Error{Problem: "must be a list such as [a, b]"}
		}
	case texts:
		n = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{textNode(text)}}
	case commands, it.typ == reflect.TypeFor[string]():
		n = textNode(text)
	}
	v, err := it.read(n)
	// There is no file, so that a line would say nothing.
	if e := new(Error); errors.As(err, &e) {
		e.Origin.Line = 0
	}
	return v, err
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// resolve follows an alias to what it stands for, and a document to what it holds.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return n.Content[0]
	}
	return n
}

func readText(n *yaml.Node) (any, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return nil, fault(n, "must be a string, not a list or group")
	case n.ShortTag() != "!!str":
		return nil, fault(n, "must be a string").hint("put the value in quotes")
	case strings.ContainsRune(n.Value, 0):
		return nil, fault(n, "holds a NUL character").hint("remove it")
	}
	return n.Value, nil
}

func readTexts(n *yaml.Node) (any, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, fault(n, "must be a list of strings, such as [a, b]")
	}
	texts := []string{}
	for _, entry := range n.Content {
		v, err := readText(resolve(entry))
		if err != nil {
			return nil, err
		}
		texts = append(texts, v.(string))
	}
	return texts, nil
}

func readBool(n *yaml.Node) (any, error) {
	var v bool
	if n.ShortTag() != "!!bool" || n.Decode(&v) != nil {
		return nil, fault(n, "must be true or false%s", instead(n))
	}
	return v, nil
}

func readInt(n *yaml.Node) (any, error) {
	var v int
	if n.ShortTag() != "!!int" || n.Decode(&v) != nil {
		return nil, fault(n, "must be a whole number%s", instead(n))
	}
	return v, nil
}

func readFloat(n *yaml.Node) (any, error) {
	var v float64
	tag := n.ShortTag()
	if tag != "!!int" && tag != "!!float" || n.Decode(&v) != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fault(n, "must be a number%s", instead(n))
	}
	return v, nil
}

func readDuration(n *yaml.Node) (any, error) {
	v, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		return nil, fault(n, "must be a duration such as 90s, 10m or 2h%s", instead(n))
	}
	return v, nil
}

// instead quotes what was found. Long values are left out: they tell nothing,
// and what was pasted into the wrong place may be a secret.
func instead(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return ", not a list or group"
	}
	if len(n.Value) > 30 {
		return ""
	}
	return ", not " + strconv.Quote(n.Value)
}
