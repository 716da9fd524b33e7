package agent

import (
	"slices"
	"strings"
)

// secretWords mark the names of variables whose values must not reach commands
// that a model wrote, nor any record.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"}

// minSecret keeps short values such as "1" from being masked all over the log.
const minSecret = 8

func isSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// withoutSecrets is the environment that commands get.
func withoutSecrets(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return isSecret(name)
	})
}

// masker replaces the values of secret variables and further secrets.
func masker(environ, secrets []string) *strings.Replacer {
	values := slices.Clone(secrets)
	for _, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); isSecret(name) {
			values = append(values, value)
		}
	}
	// The longest first, so that one which begins another leaves no rest.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, v := range slices.Compact(values) {
		if len(v) >= minSecret {
			pairs = append(pairs, v, "[secret]")
		}
	}
	return strings.NewReplacer(pairs...)
}
