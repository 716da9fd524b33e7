package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/words"
)

// Value is one key as `autopilot config` shows it.
type Value struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`  // string, bool, int, float64, []string or Commands; a duration is a string such as "10m"
	Source string `json:"source"` // "default", "autopilot.yaml:12", a variable, "command line"
}

// list gives every key that has a value, in the order of Config; what stands
// under names of the user's is in the order of the names.
func list(won map[string]setting) []Value {
	ranked := make(map[string]setting, len(won))
	for _, s := range won {
		ranked[rank(s.path)] = s
	}
	values := make([]Value, 0, len(won))
	for _, r := range sortedNames(ranked) {
		s := ranked[r]
		values = append(values, Value{Key: s.key(), Value: shown(s), Source: s.origin.String()})
	}
	return values
}

// rank is a text that sorts as the key stands in Config.
func rank(path []string) string {
	var b strings.Builder
	it := schema()
	for _, name := range path {
		i := slices.IndexFunc(it.children, func(c *item) bool { return c.name == name })
		fmt.Fprintf(&b, "%03d%s%s", i+1, name, delimiter)
		it = it.child(name)
	}
	return b.String()
}

// hidden stands for a value that is not shown.
const hidden = "(hidden)"

var secretName = lazyregexp.New(`(?i)key|token|secret|passw|credential|auth`)

// shown gives a value in the form that people and JSON get.
func shown(s setting) any {
	if isSecret(s) {
		return hidden
	}
	if d, isDuration := s.value.(time.Duration); isDuration {
		return words.Short(d)
	}
	return s.value
}

// isSecret goes by the name of a variable under env: the value of one such as
// OPENAI_API_KEY is not for a screen or a log.
func isSecret(s setting) bool {
	return strings.HasSuffix(s.item.key, ".env."+anyName) && secretName.MatchString(s.path[len(s.path)-1])
}

// exposed warns of secrets that stand in a file.
func exposed(won map[string]setting) []string {
	var warnings []string
	for _, id := range sortedNames(won) {
		if s := won[id]; isSecret(s) {
			warnings = append(warnings, fmt.Sprintf("%s: %s looks like a secret in plain text; name its variable with api_key_env instead", s.origin, s.key()))
		}
	}
	return warnings
}
