package toolbox

import (
	"slices"
	"strings"

	"autopilot/personas"
)

// withoutSecrets is the environment that commands get: a model wrote them.
func withoutSecrets(environ, named []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return personas.IsSecret(name, value) && !slices.Contains(named, name)
	})
}
