package config

import (
	"fmt"
	"slices"
	"strings"
)

const (
	prefix = "AUTOPILOT_"
	rigor  = "AUTOPILOT_RIGOR" // which people set, too, meaning it for the run
)

// told are the variables that the program itself sets for the child processes
// of a dispatch. A run that an agent starts inside one must not take them for
// the user's wishes.
var told = map[string]bool{
	"AUTOPILOT_REPLY": true, "AUTOPILOT_PERSONA": true, "AUTOPILOT_PHASE": true,
	"AUTOPILOT_PHASE_NUMBER": true, "AUTOPILOT_TASK": true, "AUTOPILOT_ATTEMPT": true,
	"AUTOPILOT_SESSION_DIR": true, "AUTOPILOT_PLAN": true, "AUTOPILOT_SPEC": true,
	rigor: true, "AUTOPILOT_BASE": true, "AUTOPILOT_SCRATCHPAD": true,
	"AUTOPILOT_SUPERVISOR": true, "AUTOPILOT_EVENT": true, "AUTOPILOT_URL": true,
	"AUTOPILOT_PURPOSE": true,
}

// variable names the variable that sets a key, "" where none does.
func variable(it *item) string {
	name := prefix + strings.ToUpper(strings.ReplaceAll(it.key, ".", "_"))
	if it.open() || told[name] {
		return ""
	}
	return name
}

func variables() map[string]*item {
	items := map[string]*item{}
	schema().eachLeaf(func(it *item) {
		if name := variable(it); name != "" {
			items[name] = it
		}
	})
	return items
}

// environ reads the AUTOPILOT_* variables of an environment ("NAME=value").
// An empty one counts as not set. An unknown one is only a warning: it may
// belong to another version, or to something that is merely named alike.
func environ(env []string) (l layer, warnings []string) {
	known := variables()
	inAgent := slices.ContainsFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "AUTOPILOT_PERSONA=") })
	for _, entry := range env {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, prefix) || told[name] && (inAgent || name != rigor) || text == "" {
			continue
		}
		it, ok := known[name]
		if !ok {
			warnings = append(warnings, unknownVariable(name, known))
			continue
		}
		v, err := it.readString(text)
		l.add(it, v, err, Origin{Name: name})
	}
	return l, warnings
}

func unknownVariable(name string, known map[string]*item) string {
	if name == rigor {
		return name + " is ignored: autopilot sets it for agents. Set rigor in autopilot.yaml, or use --fast or --thorough"
	}
	for _, group := range []string{"BACKENDS_", "PERSONAS_"} {
		if strings.HasPrefix(name, prefix+group) {
			return fmt.Sprintf("%s is ignored: backends and personas are described in autopilot.yaml", name)
		}
	}
	if near := Nearest(name, sortedNames(known)); near != "" {
		return fmt.Sprintf("%s is not a known variable and is ignored; did you mean %s?", name, near)
	}
	return fmt.Sprintf("%s is not a known variable and is ignored; autopilot config lists the keys", name)
}
