package agent

import (
	"slices"
	"strings"

	"autopilot/personas"
)

// withoutSecrets is the environment that commands get: a model wrote them.
func withoutSecrets(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return personas.IsSecret(name)
	})
}

// masker replaces the values of secret variables and further secrets.
func masker(environ, secrets []string) *strings.Replacer {
	var pairs []string
	for _, v := range personas.Secrets(environ, secrets...) {
		pairs = append(pairs, v, personas.Masked)
	}
	return strings.NewReplacer(pairs...)
}
