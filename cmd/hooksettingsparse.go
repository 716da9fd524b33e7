package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// settingsText is the text of a settings file. What does not change in it stays as it is written.
type settingsText struct {
	members []jsonPart
	events  []jsonPart // the members of "hooks"
	had     bool       // "hooks" is there
	indent  string
	end     string // what stands after the object
	crlf    bool
}

// parseSettings reads a settings file; an empty text is one without settings. What has another shape than Claude Code
// reads is refused.
func parseSettings(data []byte) (*settingsText, error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	s := &settingsText{indent: indentOf(text), end: "\n", crlf: len(text) != len(data)}
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(text), new(any)); err != nil {
		return nil, fmt.Errorf("it is not JSON (%w)", err)
	}
	s.end = text[len(strings.TrimRight(text, " \t\r\n")):]
	var err error
	if s.members, err = jsonParts([]byte(text), '{'); err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	i := lastNamed(s.members, "hooks")
	if s.had = i >= 0; !s.had {
		return s, nil
	}
	if s.events, err = jsonParts(s.members[i].value, '{'); err != nil {
		return nil, fmt.Errorf("hooks %w", err)
	}
	for _, h := range hookEntries {
		if _, err := s.groups(h.event); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// lastNamed is where the member of a name stands: of several the last one, which counts.
func lastNamed(parts []jsonPart, name string) int {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].is(name) {
			return i
		}
	}
	return -1
}

// hookGroup is an element of an event's list: hooks with the same matcher.
type hookGroup struct {
	text    []byte // as it is written; nil once it has changed
	members []jsonPart
	hooks   []jsonPart
}

// groups takes the list of an event apart.
func (s *settingsText) groups(event string) ([]hookGroup, error) {
	i := lastNamed(s.events, event)
	if i < 0 {
		return nil, nil
	}
	items, err := jsonParts(s.events[i].value, '[')
	if err != nil {
		return nil, fmt.Errorf("hooks.%s %w", event, err)
	}
	groups := make([]hookGroup, len(items))
	for n, item := range items {
		g := &groups[n]
		g.text = item.value
		if g.members, err = jsonParts(item.value, '{'); err != nil {
			return nil, fmt.Errorf("hooks.%s[%d] %w", event, n, err)
		}
		if at := lastNamed(g.members, "hooks"); at >= 0 {
			if g.hooks, err = jsonParts(g.members[at].value, '['); err != nil {
				return nil, fmt.Errorf("hooks.%s[%d].hooks %w", event, n, err)
			}
		}
	}
	return groups, nil
}

// commandOf is the command of a hook; "" where it has none.
func commandOf(hook jsonPart) string {
	var h struct{ Command any }
	_ = json.Unmarshal(hook.value, &h) // what is no object has no command
	command, _ := h.Command.(string)
	return command
}

// entered finds a hook of autopilot in a list: one of install's own, or one that a person wrote around it.
func entered(groups []hookGroup, name string) (group, hook int, own bool) {
	for g := range groups {
		for i, h := range groups[g].hooks {
			command := commandOf(h)
			if isHookCommand(command, name) {
				return g, i, true
			}
			if strings.Contains(command, "autopilot") && slices.Contains(strings.Fields(command), name) {
				return g, i, false
			}
		}
	}
	return -1, -1, false
}
