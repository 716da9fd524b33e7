package integrity

import "testing"

func TestFilesThatSteerTestsAreKnownByName(t *testing.T) {
	for p, want := range map[string]bool{
		"conftest.py": true, "tests/conftest.py": true, "pytest.ini": true, "setup.cfg": true, "sitecustomize.py": true, "unittest.py": true,
		"x.pth": true, "web/jest.config.ts": true, ".mocharc.cjs": true, "babel.config.js": true, ".npmrc": true, "package.json": true, "go.work": true,
		"a/main_test.go": true, "GNUmakefile": true, ".cargo/config.toml": true, "gradle.properties": true, "tsconfig.test.json": true,
		"a.log": false, ".env": false, "main.go": false, "coverage.xml": false, "unittest/x.py": false, "checkstyle-result.xml": false, "vite.config.ts.timestamp-12.mjs": false, "data.json": false,
	} {
		if got := Steers(p); got != want {
			t.Errorf("%s: got %v", p, got)
		}
	}
}

func TestWhatToolsBuildSteersNothing(t *testing.T) {
	for p, want := range map[string]bool{"gen/conftest.py": true, "gen/a/sitecustomize.py": true, "gen/package.json": false, "gen/a_test.go": false} {
		if got := SteersFromWithin(p); got != want {
			t.Errorf("%s: got %v", p, got)
		}
	}
	for name, want := range map[string]bool{"node_modules": true, ".venv": true, "build": true, "x.egg-info": true, "gen": false, "tests": false} {
		if got := IsMade(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
