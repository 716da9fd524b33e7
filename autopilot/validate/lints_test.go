package validate

import "testing"

func TestLinterIsToldFromTests(t *testing.T) {
	for command, want := range map[string]bool{
		"npm run lint":                  true,
		"pnpm run typecheck":            true,
		"golangci-lint run":             true,
		"go vet ./...":                  true,
		"ruff check .":                  true,
		"npx eslint .":                  true,
		"cargo clippy --workspace":      true,
		"make lint":                     true,
		"tsc --noEmit":                  true,
		"ruff check src tests":          true,
		"npx eslint src test/":          true,
		"sh .ci/lint":                   true,
		"go build ./...":                false,
		"go test ./...":                 false,
		"npm run test":                  false,
		"python3 -m pytest":             false,
		"make test":                     false,
		"npm run lint && npm test":      false,
		"go vet ./... && go test ./...": false,
		"npm run lint && npm t":         false,
		"ruff check . && pytest":        false,
		"yarn lint && yarn run test:ci": false,
		"eslint . && node --test":       false,
		"./splinter.sh":                 false,
		"echo hello":                    false,
	} {
		if got := (Validation{Command: command}).Lints(); got != want {
			t.Errorf("%q lints: %v, not %v", command, got, want)
		}
	}
}
