package results

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// lints is what looks at code without running it; tested is what runs its tests, which takes its time. A folder of tests may
// be named to either.
var (
	lints  = lazyregexp.New(`(?i)\b(lint\w*|\w+lint|go vet|staticcheck|ruff|flake8|pyright|mypy|clippy|tsc|type-?check|biome|rubocop|phpstan|dart analyze)\b`)
	tested = lazyregexp.New(`(?i)\b((go|cargo|npm|pnpm|yarn|bun|deno|make|run|node|dart|mvnw?|gradlew?)( -\S+)* (--)?t(est\w*)?|nextest|pytest|unittest|jest|vitest|mocha|rspec|phpunit)\b`)
)

// Tests says whether a command names a test program, or what usually runs one.
func Tests(command string) bool { return tested.MatchString(command) }

// Lints says whether a command looks at the code without running its tests.
func Lints(command string) bool {
	return lints.MatchString(command) && !Tests(command)
}

// lints says whether the segment looks at code and runs no tests.
func (s segment) lints() bool {
	text := strings.Join(s, " ")
	return lints.MatchString(text) && !strings.Contains(text, "test")
}
