package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder is a new folder with files in it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCommandNamesTheReadersOfItsOutput(t *testing.T) {
	root := folder(t, map[string]string{
		"package.json":     `{"scripts": {"test": "npm run unit && npm run lint", "unit": "cross-env CI=1 jest --ci", "lint": "eslint .", "all": "npm run unit && ./more.sh"}}`,
		"web/package.json": `{"scripts": {"test": "vitest run"}}`,
	})
	for command, want := range map[string]string{
		"go test ./...":                                "go",
		"go test ./... && python3 -m pytest -q":        "go pytest tap",
		"python -m unittest discover":                  "unittest",
		"cd web && npm test":                           "vitest tap junit",
		"npm test":                                     "jest tap junit",
		"X=1 npx mocha":                                "mocha tap junit",
		"node --test":                                  "node tap junit",
		"ruff check . && uv run pytest":                "pytest tap",
		"mvn -q verify":                                "maven",
		"node run.js":                                  "",
		"npm run all":                                  "",
		"make test":                                    "",
		"go test ./... && ./check.sh":                  "",
		"make lint test && pytest":                     "",
		"make lint && pytest":                          "pytest tap",
		"go test ./...; true":                          "",
		"go test ./... 2>&1 | tee log":                 "",
		"gotestsum ./...":                              "",
		"python manage.py test":                        "",
		"python -m unittest && python -m pytest tests": "unittest pytest tap",
	} {
		if got := strings.Join(ReadersOf(root, command), " "); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}
