package config

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Commands is the project's list of validation commands. Three cases differ:
// the zero value means that they are to be found, None that there are to be
// none, and else List holds at least one.
type Commands struct {
	None bool
	List []Command
}

// Command is one validation command.
type Command struct {
	Command string `json:"command"`       // run by sh -c
	Dir     string `json:"dir,omitempty"` // relative to the repository root, with slashes; "": the root itself
}

// String gives the commands as a person would write them in short.
func (c Commands) String() string {
	if c.None {
		return "none"
	}
	parts := make([]string, 0, len(c.List))
	for _, one := range c.List {
		if one.Dir != "" {
			one.Command += " (in " + one.Dir + ")"
		}
		parts = append(parts, one.Command)
	}
	return strings.Join(parts, ", ")
}

// MarshalJSON writes the word none, or the list, as in a configuration file.
func (c Commands) MarshalJSON() ([]byte, error) {
	if c.None {
		return json.Marshal("none")
	}
	return json.Marshal(c.List)
}

// readCommands also takes a single text as a list of one, which is how a
// variable gives it. An empty list is refused: it could mean both "find them"
// and "have none", and the second is a wish that has to be spelled out.
func readCommands(n *yaml.Node) (any, error) {
	if n.Kind == yaml.ScalarNode && strings.EqualFold(strings.TrimSpace(n.Value), "none") {
		return Commands{None: true}, nil
	}
	entries := n.Content
	switch {
	case n.Kind == yaml.ScalarNode:
		entries = []*yaml.Node{n}
	case n.Kind != yaml.SequenceNode:
		return nil, fault(n, "must be a list of commands, or the word none")
	case len(entries) == 0:
		return nil, fault(n, "is empty").hint("write none to go on unverified, or remove the key to have the commands found")
	}
	var list []Command
	for _, entry := range entries {
		c, err := readCommand(resolve(entry))
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return Commands{List: list}, nil
}

func readCommand(n *yaml.Node) (Command, error) {
	var c Command
	fields := map[string]*string{"command": &c.Command, "dir": &c.Dir}
	switch n.Kind {
	case yaml.ScalarNode:
		n = &yaml.Node{Line: n.Line, Content: []*yaml.Node{{Value: "command"}, n}}
	case yaml.MappingNode:
	default:
		return c, fault(n, "must hold texts, or {command: …, dir: …}")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], resolve(n.Content[i+1])
		into, known := fields[name.Value]
		if !known {
			return c, fault(name, "holds %q, which is none of command and dir", name.Value)
		}
		text, err := readText(value)
		if err != nil {
			return c, err
		}
		if *into != "" {
			return c, fault(name, "names %s twice in one entry", name.Value)
		}
		*into = text.(string)
	}
	return c, checkCommand(n, c)
}

func checkCommand(n *yaml.Node, c Command) error {
	word := strings.TrimSpace(c.Command)
	if word == "" {
		return fault(n, "holds an entry without a command")
	}
	if strings.EqualFold(word, "none") {
		return fault(n, "holds none beside others").hint("none stands alone, instead of the list")
	}
	if c.Dir != "" && !filepath.IsLocal(filepath.FromSlash(c.Dir)) {
		return fault(n, "has the dir %q, which is not a folder inside the repository", c.Dir).hint("write it relative to the root")
	}
	return nil
}
