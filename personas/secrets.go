package personas

import (
	"slices"
	"strings"
)

// secretWords mark the names of variables whose values must reach no record.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"}

// minSecret keeps short values such as "1" from being masked all over a record.
const minSecret = 8

// IsSecret says whether a variable of this name holds a secret.
func IsSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// Secrets gives the values to mask: those of the secret variables of an
// environment, and further ones. The longest come first, so that one which
// begins another leaves no rest.
func Secrets(environ []string, further ...string) []string {
	values := slices.Clone(further)
	for _, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); IsSecret(name) {
			values = append(values, value)
		}
	}
	values = slices.DeleteFunc(values, func(v string) bool { return len(v) < minSecret })
	slices.SortFunc(values, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(values)
}

// Masked stands in a record for a secret.
const Masked = "[secret]"
