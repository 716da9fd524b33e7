package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// secrets are spellings of a key that would hold a secret itself.
var secrets = []string{"apikey", "key", "token", "authtoken", "secret", "password"}

// enough problems of one file are reported at a time: a file that is no
// configuration at all would give one for each of its lines.
const enough = 20

// walker reads a file along the schema, never deeper than the schema is, so
// that no cleverly built file can lead it astray.
type walker struct {
	layer
	file string
}

func (w *walker) complain(err error, n *yaml.Node, path []string) {
	w.accuse(err, Origin{Name: w.file, Line: n.Line}, strings.Join(path, "."))
}

func (w *walker) walk(it *item, n *yaml.Node, path []string) {
	line := n.Line
	n = resolve(n)
	switch {
	case it.isLeaf():
		v, err := it.read(n)
		if err != nil {
			w.complain(err, n, path)
			return
		}
		w.settings = append(w.settings, setting{path: path, item: it, value: v, origin: Origin{Name: w.file, Line: line}})
	case n.Kind == yaml.MappingNode:
		w.group(it, n, path)
	case n.ShortTag() != "!!null":
		w.complain(fault(n, "%s", wantsGroup(path)), n, path)
	}
}

func wantsGroup(path []string) string {
	if len(path) == 0 {
		return "must hold keys, such as retries: 3"
	}
	return "must be a group of keys, indented below it"
}

func (w *walker) group(it *item, n *yaml.Node, path []string) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if len(w.problems) >= enough {
			return
		}
		name, value := n.Content[i], n.Content[i+1]
		here := append(slices.Clone(path), printable(name.Value))
		if first, again := seen[name.Value]; again {
			w.complain(fault(name, "stands here a second time").hint(fmt.Sprintf("the first is in line %d", first)), name, here)
			continue
		}
		seen[name.Value] = name.Line
		child, err := childOf(it, name, path)
		if err == nil {
			err = wantsContent(it, value)
		}
		if err != nil {
			w.complain(err, name, here)
			continue
		}
		w.walk(child, value, append(slices.Clone(path), name.Value))
	}
}

// printable gives a name as it may stand in a message: a file from elsewhere
// must not be able to write to the terminal what it likes.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(clip(name))
	}
	return clip(name)
}

// childOf finds what stands under a name, or tells why nothing does.
func childOf(it *item, name *yaml.Node, path []string) (*item, error) {
	if name.Kind != yaml.ScalarNode {
		return nil, fault(name, "has a key that is not text").hint("write each key as plain text")
	}
	if it.elem != nil {
		namer := item{allow: it.allow}
		if problem := namer.checkText(name.Value); problem != "" {
			return nil, fault(name, "%s", problem)
		}
		return it.elem, nil
	}
	if c := it.child(name.Value); c != nil {
		return c, nil
	}
	return nil, fault(name, "is not a known key").hint(suggestion(it, name.Value, path))
}

// wantsContent refuses a backend or persona that is named and then left empty,
// which would otherwise vanish without a word.
func wantsContent(it *item, value *yaml.Node) error {
	value = resolve(value)
	empty := value.ShortTag() == "!!null" || value.Kind == yaml.MappingNode && len(value.Content) == 0
	if it.elem == nil || it.elem.isLeaf() || !empty {
		return nil
	}
	return fault(value, "is empty").hint("describe it below its name, or remove it")
}

// suggestion says what to write instead of an unknown key: the same name in
// another group, the nearest one here, the nearest one anywhere, or else the
// keys that are known here.
func suggestion(it *item, name string, path []string) string {
	if slices.Contains(secrets, plain(name)) {
		return "secrets don't belong in the configuration: put the key into an environment variable, and name that variable with api_key_env"
	}
	if group, rest, dotted := strings.Cut(name, "."); dotted && find(name) != nil {
		return fmt.Sprintf("write it as a group, %s: {%s: …}", group, rest)
	}
	var here, elsewhere []string
	for _, c := range it.children {
		here = append(here, c.name)
	}
	whole := map[string]string{}
	schema().eachLeaf(func(known *item) {
		last := known.key[strings.LastIndex(known.key, ".")+1:]
		if _, taken := whole[last]; !taken && last != anyName {
			whole[last] = known.key
			elsewhere = append(elsewhere, last)
		}
	})
	if near := Nearest(name, here); near != "" {
		return didYouMean(strings.Join(append(slices.Clone(path), near), "."))
	}
	if near := Nearest(name, elsewhere); near != "" {
		return didYouMean(whole[near])
	}
	if len(here) > 8 {
		return "autopilot help configuration lists the keys"
	}
	return "the keys here are " + strings.Join(here, ", ")
}

func didYouMean(word string) string { return fmt.Sprintf("did you mean %s?", word) }
