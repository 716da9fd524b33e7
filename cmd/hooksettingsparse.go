package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// settingsText is the text of a settings file. It is edited at its places: what stays is not written anew.
type settingsText struct {
	text   string
	root   jsonNode
	hooks  jsonNode // the value of "hooks"; without brackets where there is none
	events []eventHooks
	eol    string
	unit   string // by how much each level is indented
	edits  []jsonEdit
}

// eventHooks is what a settings file says of an event: groups of hooks.
type eventHooks struct {
	hookEvent
	at     int // of the members of "hooks"; -1 where it is none of them
	list   jsonNode
	groups []hookGroup
}

// hookGroup is hooks with the same matcher.
type hookGroup struct {
	hooks    jsonNode
	commands []hookCommand
	matcher  string
	plain    bool // nothing but matcher and hooks
}

// hookCommand is the command of a hook, and where it stands; "" where it has none.
type hookCommand struct {
	text   string
	at, to int
}

const byteOrderMark = "\ufeff"

// parseSettings reads a settings file; an empty text is one without settings. What has another shape than Claude Code
// reads is refused.
func parseSettings(data []byte) (*settingsText, error) {
	s := &settingsText{text: string(data), eol: "\n", unit: "  "}
	if strings.TrimSpace(s.text) == "" {
		s.text = "{}\n"
	}
	start := len(s.text) - len(strings.TrimLeft(strings.TrimPrefix(s.text, byteOrderMark), " \t\r\n"))
	if err := json.Unmarshal([]byte(s.text[start:]), new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("it is not JSON (%w)", err)
	}
	var err error
	if s.root, err = jsonNodeAt(s.text, start, len(strings.TrimRight(s.text, " \t\r\n")), '{'); err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	if strings.Contains(s.text, "\r\n") {
		s.eol = "\r\n"
	}
	if len(s.root.parts) > 0 {
		_, indent, _ := strings.Cut(lineLead(s.root.lead(s.text, 0)), "\n")
		s.unit = cmp.Or(indent, s.unit)
	}
	if s.hooks, err = s.member(s.root, "hooks", '{'); err != nil {
		return nil, fmt.Errorf("hooks %w", err)
	}
	for _, h := range hookEvents {
		e, err := s.event(h)
		if err != nil {
			return nil, fmt.Errorf("hooks.%s%w", h.name, err)
		}
		s.events = append(s.events, e)
	}
	return s, nil
}

// member is the object or the list that a member is; one without brackets where there is none of that name.
func (s *settingsText) member(n jsonNode, name string, open json.Delim) (jsonNode, error) {
	i := n.last(name)
	if i < 0 {
		return jsonNode{}, nil
	}
	return jsonNodeAt(s.text, n.parts[i].at, n.parts[i].to, open)
}

func (s *settingsText) event(h hookEvent) (eventHooks, error) {
	e := eventHooks{hookEvent: h, at: s.hooks.last(h.name)}
	var err error
	if e.list, err = s.member(s.hooks, h.name, '['); err != nil {
		return e, fmt.Errorf(" %w", err)
	}
	for i, item := range e.list.parts {
		node, err := jsonNodeAt(s.text, item.at, item.to, '{')
		if err != nil {
			return e, fmt.Errorf("[%d] %w", i, err)
		}
		g := hookGroup{plain: true}
		if g.hooks, err = s.member(node, "hooks", '['); err != nil {
			return e, fmt.Errorf("[%d].hooks %w", i, err)
		}
		for _, m := range node.parts {
			isText := m.key != "matcher" || json.Unmarshal([]byte(s.text[m.at:m.to]), &g.matcher) == nil
			g.plain = g.plain && isText && (m.key == "matcher" || m.key == "hooks")
		}
		for _, hook := range g.hooks.parts {
			g.commands = append(g.commands, s.command(hook))
		}
		e.groups = append(e.groups, g)
	}
	return e, nil
}

func (s *settingsText) command(hook jsonPart) hookCommand {
	n, err := jsonNodeAt(s.text, hook.at, hook.to, '{')
	i := n.last("command")
	if err != nil || i < 0 {
		return hookCommand{}
	}
	c := hookCommand{at: n.parts[i].at, to: n.parts[i].to}
	_ = json.Unmarshal([]byte(s.text[c.at:c.to]), &c.text) // what is no text is no command
	return c
}

// entered finds a hook of autopilot: one of install's own, or one that a person wrote around it.
func (e eventHooks) entered(program, name string) (group, hook int, own bool) {
	for g := range e.groups {
		for i, command := range e.groups[g].commands {
			if isOwnCommand(command.text, program, name) {
				return g, i, true
			}
			if strings.Contains(command.text, "autopilot") && slices.Contains(strings.Fields(command.text), name) {
				return g, i, false
			}
		}
	}
	return -1, -1, false
}
