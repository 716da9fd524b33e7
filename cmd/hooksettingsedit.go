package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// hookEntry is a hook that install enters: for which event of Claude Code, and which sessions of it where it can say so.
type hookEntry struct{ event, name, matcher string }

// hookEntries are those of an event one after the other.
var hookEntries = []hookEntry{
	{"Stop", "stop", ""},
	{"Stop", "self-reflect-stop", ""},
	{"SessionStart", "sessionstart", "startup|resume|compact"},
	{"TeammateIdle", "teammateidle", ""},
	{"SubagentStop", "subagentstop", ""},
}

// hookTimeout is how long Claude Code waits for a hook, in seconds.
const hookTimeout = 10

// The matchers of a group of install's own keep what was there before it, for uninstall; for events that take no matcher
// they mean the same as none.
const (
	listWasThere  = ""  // the event's list was there, without elements
	hooksWasThere = "*" // "hooks" was there, without members
)

// install enters the hooks that are not there, and has those of its own run the program as it is called now. It says what
// it did, a line each.
func (s *settingsText) install(program string) []string {
	var done []string
	wasEmpty := s.had && len(s.events) == 0
	for i, h := range hookEntries {
		if i > 0 && hookEntries[i-1].event == h.event {
			continue
		}
		groups, _ := s.groups(h.event) // parseSettings has read it
		var missing []jsonPart
		for _, e := range hookEntries {
			if e.event != h.event {
				continue
			}
			command := program + " hook " + e.name
			g, n, own := entered(groups, e.name)
			switch {
			case g < 0:
				missing = append(missing, jsonPart{value: s.entry(command)})
				done = append(done, fmt.Sprintf("+ %s: %s", e.event, command))
			case own && commandOf(groups[g].hooks[n]) != command:
				done = append(done, fmt.Sprintf("+ %s: %s (was: %s)", e.event, command, commandOf(groups[g].hooks[n])))
				groups[g].hooks[n].value, groups[g].text = s.called(groups[g].hooks[n].value, command), nil
			}
		}
		if len(missing) > 0 {
			groups = append(groups, hookGroup{members: s.mark(h, wasEmpty), hooks: missing})
		}
		if slices.ContainsFunc(groups, hookGroup.changed) {
			s.put(h.event, groups)
		}
	}
	return done
}

// mark is the matcher of a new group, as a member or none.
func (s *settingsText) mark(h hookEntry, wasEmpty bool) []jsonPart {
	matcher, want := h.matcher, h.matcher != ""
	if i := lastNamed(s.events, h.event); i >= 0 && !want {
		items, _ := jsonParts(s.events[i].value, '[')
		want = len(items) == 0
	} else if wasEmpty && !want {
		matcher, want = hooksWasThere, true
	}
	if !want {
		return nil
	}
	return []jsonPart{{key: `"matcher"`, value: jsonValue(matcher, 0, "")}}
}

// entry is a hook as it stands in a settings file.
func (s *settingsText) entry(command string) []byte {
	return jsonValue(struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}{"command", command, hookTimeout}, 5, s.indent)
}

// called is a hook with another command.
func (s *settingsText) called(hook []byte, command string) []byte {
	members, _ := jsonParts(hook, '{')
	members[lastNamed(members, "command")].value = jsonValue(command, 0, "")
	return jsonText(members, '{', 5, s.indent)
}

// put writes the list of an event, at its place or as the last one.
func (s *settingsText) put(event string, groups []hookGroup) {
	var items []jsonPart
	for _, g := range groups {
		if g.changed() {
			g.text = s.grouped(g)
		}
		items = append(items, jsonPart{value: g.text})
	}
	list := jsonText(items, '[', 2, s.indent)
	if i := lastNamed(s.events, event); i >= 0 {
		s.events[i].value = list
		return
	}
	s.events = append(s.events, jsonPart{key: string(jsonValue(event, 0, "")), value: list})
}

func (g hookGroup) changed() bool { return g.text == nil }

func (s *settingsText) grouped(g hookGroup) []byte {
	members, hooks := slices.Clone(g.members), jsonText(g.hooks, '[', 4, s.indent)
	if i := lastNamed(members, "hooks"); i >= 0 {
		members[i].value = hooks
	} else {
		members = append(members, jsonPart{key: `"hooks"`, value: hooks})
	}
	return jsonText(members, '{', 3, s.indent)
}

// uninstall takes out the hooks that install entered, and what it made around them. It says what it did, a line each.
func (s *settingsText) uninstall() []string {
	var done []string
	keepHooks := false
	for _, h := range hookEntries {
		groups, _ := s.groups(h.event) // parseSettings has read it
		var left []hookGroup
		keepList, before := false, len(done)
		for _, g := range groups {
			g, out := g.without(h)
			done = append(done, out...)
			matcher, own := g.matcher(h)
			if len(out) > 0 && len(g.hooks) == 0 && own {
				keepList = keepList || matcher == listWasThere && len(g.members) > 1
				keepHooks = keepHooks || matcher == hooksWasThere
				continue
			}
			left = append(left, g)
		}
		if len(done) == before {
			continue
		}
		s.put(h.event, left)
		if i := lastNamed(s.events, h.event); len(left) == 0 && !keepList {
			s.events = slices.Delete(s.events, i, i+1)
		}
	}
	if i := lastNamed(s.members, "hooks"); len(done) > 0 && len(s.events) == 0 && !keepHooks {
		s.members = slices.Delete(s.members, i, i+1)
	}
	return done
}

// without is a group without a hook of install's own, and what was taken out.
func (g hookGroup) without(h hookEntry) (hookGroup, []string) {
	var out []string
	var left []jsonPart
	for _, hook := range g.hooks {
		if command := commandOf(hook); isHookCommand(command, h.name) {
			out = append(out, fmt.Sprintf("- %s: %s", h.event, command))
			continue
		}
		left = append(left, hook)
	}
	if len(out) > 0 {
		g.hooks, g.text = left, nil
	}
	return g, out
}

// matcher is the matcher of a group, and whether the group is one that install makes.
func (g hookGroup) matcher(h hookEntry) (string, bool) {
	text, own := "", true
	for _, m := range g.members {
		if m.is("matcher") {
			own = own && json.Unmarshal(m.value, &text) == nil
		} else if !m.is("hooks") {
			own = false
		}
	}
	return text, own && (text == h.matcher || h.matcher == "" && text == hooksWasThere)
}

// bytes is the text with its changes.
func (s *settingsText) bytes() []byte {
	hooks := jsonPart{key: `"hooks"`, value: jsonText(s.events, '{', 1, s.indent)}
	members := slices.Clone(s.members)
	if i := lastNamed(members, "hooks"); i >= 0 {
		members[i].value = hooks.value
	} else if len(s.events) > 0 {
		members = append(members, hooks)
	}
	text := string(jsonText(members, '{', 0, s.indent)) + s.end
	if s.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}
