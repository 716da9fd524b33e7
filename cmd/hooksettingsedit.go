package cmd

import (
	"fmt"
	"slices"
	"strings"
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

// What stands behind the bracket of an object or a list that was empty before install: uninstall finds by it that the
// brackets are not install's own, and what was between them. Without any of them they are, but for those of the file.
const (
	wasEmpty = " "
	hadSpace = "  " // which stands before the closing bracket now
)

// install enters the hooks that are not there, and has those of its own run the program as it is called now. It says what
// it did, a line each.
func (s *settingsText) install(program string) []string {
	var done, missing []string
	for _, e := range s.events {
		var hooks []string
		for _, name := range e.hooks {
			command := program + " hook " + name
			g, i, own := e.entered(program, name)
			switch {
			case g < 0:
				hooks = append(hooks, fmt.Sprintf(`{"type":"command","command":%s,"timeout":%d}`, jsonText(command), hookTimeout))
				done = append(done, fmt.Sprintf("+ %s: %s", e.name, command))
			case own && e.groups[g].commands[i].text != command:
				done = append(done, fmt.Sprintf("+ %s: %s (was: %s)", e.name, command, e.groups[g].commands[i].text))
				s.edits = append(s.edits, jsonEdit{e.groups[g].commands[i].at, e.groups[g].commands[i].to, jsonText(command)})
			}
		}
		group := `{"hooks":[` + strings.Join(hooks, ",") + "]}"
		if e.matcher != "" {
			group = `{"matcher":` + jsonText(e.matcher) + "," + group[1:]
		}
		switch {
		case hooks == nil:
		case e.at < 0:
			missing = append(missing, jsonText(e.name)+":["+group+"]")
		default:
			s.add(e.list, lineLead(s.hooks.lead(s.text, e.at)), wasEmpty, group)
		}
	}
	at := s.root.last("hooks")
	switch {
	case len(missing) == 0:
	case at < 0:
		s.add(s.root, s.eol, "", `"hooks":{`+strings.Join(missing, ",")+"}")
	default:
		s.add(s.hooks, lineLead(s.root.lead(s.text, at)), wasEmpty, missing...)
	}
	return done
}

// add puts parts at the end of an object or a list, laid out as its last part is, or, where it has none, as what stands
// before the object or the list itself. mark is for one that was empty.
func (s *settingsText) add(n jsonNode, outer, mark string, parts ...string) {
	lead, end, at := "", "", n.from+1
	switch last := len(n.parts) - 1; {
	case last >= 0:
		lead, mark, at = lineLead(n.lead(s.text, last)), ",", n.parts[last].to
	case strings.Contains(outer, "\n"):
		lead, end = outer+s.unit, outer
	}
	if len(n.parts) == 0 && at < n.to-1 {
		mark, end = hadSpace, ""
	}
	for i, p := range parts {
		parts[i] = lead + laidOut(p, lead, s.unit)
	}
	s.edits = append(s.edits, jsonEdit{at, at, mark + strings.Join(parts, ",") + end})
}

// uninstall takes out the hooks that install entered, and what it made around them. It says what it did, a line each.
func (s *settingsText) uninstall(program string) []string {
	var done []string
	events := make([]bool, len(s.hooks.parts))
	for _, e := range s.events {
		groups := make([]bool, len(e.groups))
		for i, g := range e.groups {
			hooks := make([]bool, len(g.commands))
			for n, command := range g.commands {
				if hooks[n] = slices.ContainsFunc(e.hooks, func(name string) bool { return isOwnCommand(command.text, program, name) }); hooks[n] {
					done = append(done, fmt.Sprintf("- %s: %s", e.name, command.text))
				}
			}
			if groups[i] = all(hooks) && g.plain && g.matcher == e.matcher; !groups[i] {
				s.remove(g.hooks, hooks)
			}
		}
		if all(groups) && s.made(e.list) {
			events[e.at] = true
		} else {
			s.remove(e.list, groups)
		}
	}
	if all(events) && s.made(s.hooks) {
		members := make([]bool, len(s.root.parts))
		members[s.root.last("hooks")] = true
		s.remove(s.root, members)
	} else {
		s.remove(s.hooks, events)
	}
	return done
}

// all says that each part is meant, of at least one.
func all(parts []bool) bool { return len(parts) > 0 && !slices.Contains(parts, false) }

// made says that install made the brackets around parts that are all its own.
func (s *settingsText) made(n jsonNode) bool { return !strings.HasPrefix(n.lead(s.text, 0), wasEmpty) }

// remove takes parts out of an object or a list, each with the comma before it.
func (s *settingsText) remove(n jsonNode, gone []bool) {
	kept := slices.Index(gone, false)
	switch {
	case all(gone) && strings.HasPrefix(n.lead(s.text, 0), hadSpace):
		s.cut(n.from+1, n.parts[len(gone)-1].to)
	case all(gone):
		s.cut(n.from+1, n.to-1)
	case kept > 0:
		s.cut(n.parts[0].from, n.parts[kept].from)
	}
	for i := max(kept, 0) + 1; kept >= 0 && i < len(gone); i++ {
		if gone[i] {
			s.cut(n.parts[i-1].to, n.parts[i].to)
		}
	}
}

func (s *settingsText) cut(from, to int) { s.edits = append(s.edits, jsonEdit{from, to, ""}) }

func (s *settingsText) bytes() []byte { return []byte(edited(s.text, s.edits)) }
