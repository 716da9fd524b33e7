package tasks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
)

// hookEvent is an event of Claude Code, which sessions of it are meant where it can say so, and the hooks that install
// enters for it.
type hookEvent struct {
	name, matcher string
	hooks         []string
}

var hookEvents = []hookEvent{
	{"Stop", "", []string{"stop", "self-reflect-stop"}},
	{"SessionStart", "startup|resume|compact", []string{"sessionstart"}},
	{"TeammateIdle", "", []string{"teammateidle"}},
	{"SubagentStop", "", []string{"subagentstop"}},
}

// hookTimeout is how long Claude Code waits for a hook, in seconds.
const hookTimeout = 10

// hookGroup is hooks with the same matcher, as install writes them.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
}

type hookCommand struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

// settingsText is the text of a settings file, which is edited in place: what stays is not written again.
type settingsText struct{ root jsonedit.Node }

// parseSettings reads a settings file; an empty text is one without settings. What has another shape than Claude Code
// reads is refused.
func parseSettings(data []byte) (settingsText, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	root, err := jsonedit.Parse(data)
	if err != nil {
		return settingsText{}, fmt.Errorf("it is not JSON (%w)", err)
	}
	if root.Kind() != '{' {
		return settingsText{}, errors.New("it is not an object")
	}
	s := settingsText{root}
	if kind := s.hooks().Kind(); kind != 0 && kind != '{' {
		return s, errors.New("hooks is not an object")
	}
	for _, e := range hookEvents {
		if err := checkEvent(s.hooks().Member(e.name)); err != nil {
			return s, fmt.Errorf("hooks.%s%w", e.name, err)
		}
	}
	return s, nil
}

func checkEvent(groups jsonedit.Node) error {
	if kind := groups.Kind(); kind != 0 && kind != '[' {
		return errors.New(" is not a list")
	}
	for i, group := range groups.Elements() {
		if group.Kind() != '{' {
			return fmt.Errorf("[%d] is not an object", i)
		}
		if kind := group.Member("hooks").Kind(); kind != 0 && kind != '[' {
			return fmt.Errorf("[%d].hooks is not a list", i)
		}
	}
	return nil
}

func (s settingsText) hooks() jsonedit.Node { return s.root.Member("hooks") }

// install enters the hooks that are not there, and has those of its own run the program as it is called now. It says what
// it did, a line each.
func (s settingsText) install(program string) []string {
	var done []string
	for _, e := range hookEvents {
		var missing []hookCommand
		for _, name := range e.hooks {
			command := program + " hook " + name
			hook, own := e.entered(s.hooks().Member(e.name), program, name)
			switch was := commandOf(hook); {
			case hook.Kind() == 0:
				missing = append(missing, hookCommand{"command", command, hookTimeout})
				done = append(done, fmt.Sprintf("+ %s: %s", e.name, command))
			case own && was != command:
				hook.Set("command", command)
				done = append(done, fmt.Sprintf("+ %s: %s (was: %s)", e.name, command, was))
			}
		}
		if missing != nil {
			s.add(e, missing)
		}
	}
	return done
}

// add enters hooks of an event as a group of their own.
func (s settingsText) add(e hookEvent, hooks []hookCommand) {
	if s.hooks().Kind() == 0 {
		s.root.Set("hooks", struct{}{})
	}
	if s.hooks().Member(e.name).Kind() == 0 {
		s.hooks().Set(e.name, []hookGroup{})
	}
	s.hooks().Member(e.name).Append(hookGroup{e.matcher, hooks})
}

// entered finds a hook of autopilot: one of install's own, or one that a person wrote around it.
func (e hookEvent) entered(groups jsonedit.Node, program, name string) (hook jsonedit.Node, own bool) {
	for _, group := range groups.Elements() {
		for _, hook := range group.Member("hooks").Elements() {
			command := commandOf(hook)
			if isOwnCommand(command, program, name) {
				return hook, true
			}
			if strings.Contains(command, "autopilot") && slices.Contains(strings.Fields(command), name) {
				return hook, false
			}
		}
	}
	return jsonedit.Node{}, false
}

// commandOf is what a hook runs; what is no text is no command.
func commandOf(hook jsonedit.Node) string {
	if command := hook.Member("command"); command.Kind() == '"' {
		return command.Text()
	}
	return ""
}

// uninstall takes out the hooks that install entered, and what is empty without them. It says what it did, a line each.
func (s settingsText) uninstall(program string) []string {
	var done []string
	hooks := s.hooks()
	for _, e := range hookEvents {
		groups, empty := hooks.Member(e.name), map[int]bool{}
		for i, group := range groups.Elements() {
			taken := e.takeOut(group, program)
			done = append(done, taken...)
			empty[i] = taken != nil && e.isEmpty(group)
		}
		groups.DeleteFunc(func(i int) bool { return empty[i] })
		if len(empty) > 0 && groups.Len() == 0 {
			hooks.Remove(e.name)
		}
	}
	if done != nil && hooks.Len() == 0 {
		s.root.Remove("hooks")
	}
	return done
}

// takeOut takes install's own hooks out of a group, and says which.
func (e hookEvent) takeOut(group jsonedit.Node, program string) []string {
	var done []string
	hooks, own := group.Member("hooks"), map[int]bool{}
	for i, hook := range hooks.Elements() {
		command := commandOf(hook)
		if slices.ContainsFunc(e.hooks, func(name string) bool { return isOwnCommand(command, program, name) }) {
			own[i] = true
			done = append(done, fmt.Sprintf("- %s: %s", e.name, command))
		}
	}
	hooks.DeleteFunc(func(i int) bool { return own[i] })
	return done
}

// isEmpty says that a group has no hooks, and nothing that install does not write.
func (e hookEvent) isEmpty(group jsonedit.Node) bool {
	for key, value := range group.Members() {
		if key != "hooks" && (key != "matcher" || value.Kind() != '"') {
			return false
		}
	}
	return group.Member("hooks").Len() == 0 && group.Member("matcher").Text() == e.matcher
}
