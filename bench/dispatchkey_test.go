package bench

import (
	"fmt"
	"regexp"
	"strconv"

	"autopilot/personas"
)

var (
	saysPersona = regexp.MustCompile(`(?m)^# You are the (\w+)(, and you diagnose|, and this is the final review|, and you know the spec alone)?`)
	saysPhase   = regexp.MustCompile(`(?m)^- Phase: \S+ \((\d+) of \d+\)`)
	saysTask    = regexp.MustCompile(`(?m)^- Task: (task-\d+)`)
	saysAttempt = regexp.MustCompile(`(?m)^- Attempt: (\d+)`)
)

// keyOf reads from a prompt which dispatch it is.
func keyOf(prompt string) (personas.Key, error) {
	first := func(re *regexp.Regexp) string { return append(re.FindStringSubmatch(prompt), "", "")[1] }
	persona := saysPersona.FindStringSubmatch(prompt)
	if persona == nil {
		return personas.Key{}, fmt.Errorf("the prompt names no persona: %.80q", prompt)
	}
	k := personas.Key{Persona: persona[1], Task: first(saysTask), Attempt: 1}
	k.Phase, _ = strconv.Atoi(first(saysPhase))
	if n, err := strconv.Atoi(first(saysAttempt)); err == nil {
		k.Attempt = n
	}
	switch persona[2] {
	case ", and this is the final review":
		k.Task = "final"
	case ", and you know the spec alone":
		k.Task = "blind"
	}
	return k, nil
}
