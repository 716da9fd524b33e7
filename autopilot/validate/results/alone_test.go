package results

import "testing"

func TestCommandForOneTestIsDerived(t *testing.T) {
	root := folder(t, map[string]string{
		"tests/test_a.py": "", "sub/tests/test_a.py": "", "test_a.py": "",
		"web/package.json":   `{"scripts": {"test": "node --test", "jest": "jest --ci --coverage", "unit": "npm run jest", "loop": "npm run loop"}}`,
		"web/node_modules/x": "", "web/node_modules/.bin/jest": "",
	})
	const none = "none"
	for _, tc := range []struct{ command, test, want string }{
		{"go test ./...", "x/a.TestA", `go test -v -count=1 -run '^TestA$' 'x/a'`},
		{"go test -race -tags 'a b' -count 3 -timeout=1m ./a ./b", "x/a.TestA/sub_two/x+y", `go test -race -tags 'a b' -timeout=1m -v -count=1 -run '^TestA$/^sub_two$/^x\+y$' 'x/a'`},
		{"go test -json -run 'Test[AB]' -coverprofile=c.out ./... -args -x", "x/a.b/c.TestA", `go test -json -count=1 -run '^TestA$' 'x/a.b/c' -args -x`},
		{"go test ./a", "TestA", `go test -v -count=1 -run '^TestA$' ./a`},
		{"go test ./...", "x/a", `go test -count=1 'x/a'`},
		{"CGO_ENABLED=0 go test ./...", "x.TestA", `CGO_ENABLED=0 go test -v -count=1 -run '^TestA$' 'x'`},
		{"go vet ./... && cd sub && go test ./... && echo done", "x.ExampleA", `cd sub && go test -v -count=1 -run '^ExampleA$' 'x'`},
		{"go test ./... | tee log", "x.TestA", none},
		{"go test ./...; true", "x.TestA", none},
		{"go test $(go list ./...)", "x.TestA", none},
		{"for p in a b; do go test ./$p; done", "x.TestA", none},
		{"go test ./...", "-exec=sh", none},
		{"make test", "x.TestA", none},
		{"go test ./...", "coverage below what is required", none},

		{"pytest -q tests test_a.py::x -k 'not slow' --cov=src --cov-fail-under 90 --junitxml=r.xml", "tests/test_a.py::T::test_b[a b]", `pytest -q -k 'not slow' 'tests/test_a.py::T::test_b[a b]'`},
		{".venv/bin/python -m pytest", "tests/test_a.py::test_it", `.venv/bin/python -m pytest 'tests/test_a.py::test_it'`},
		{"cd sub && uv run pytest --rootdir tests tests", "tests/test_a.py::test_it", `cd sub && uv run pytest --rootdir tests 'tests/test_a.py::test_it'`},
		{"python3 -m pytest", "tests.test_a", none},
		{"python3 -m unittest discover -s tests", "test_a.T.test_b (i=0)", `python3 -m unittest discover -s tests -k '*test_a.T.test_b'`},
		{"python3 -m unittest", "test_a.T", `python3 -m unittest -k '*test_a.T.*'`},

		{"cargo test --workspace -- --nocapture", "src/lib.rs::a::b", `cargo test --workspace -- --exact 'a::b'`},
		{"cargo test", "x::src/lib.rs - (line 1)", none},

		{"node --test --test-reporter=spec tests/", "calc > adds (a+b)", `node --test --test-name-pattern='^adds \(a\+b\)$' tests/`},
		{"node --test", "adds #2", `node --test --test-name-pattern='^adds$'`},
		{"node server.js", "adds", none},
		{"node --test", "tests/test_a.py", none},
		{"npx jest src --coverage", "a.test.js > calc > it's right", `npx jest src 'a.test.js' --coverage=false -t '^calc it'\''s right$'`},
		{"jest", "a.test.js", none},
		{"npx vitest", "a.test.ts > calc > adds", `npx vitest run 'a.test.ts' --coverage.enabled=false -t '^calc adds$'`},
		{"mocha --reporter dot test", "calc > adds", `mocha test --grep '^calc adds$'`},
		{"cd web && npm test", "calc > adds", `cd web && export PATH="$PWD/node_modules/.bin:$PATH" && node --test --test-name-pattern='^adds$'`},
		{"cd web && CI=1 npm run unit", "a.test.js > adds", `cd web && export CI=1 && export PATH="$PWD/node_modules/.bin:$PATH" && export PATH="$PWD/node_modules/.bin:$PATH" && jest --ci 'a.test.js' --coverage=false -t '^adds$'`},
		{"cd web && npm run loop", "adds", none},
		{"cd web && npm run nothing", "adds", none},

		{"./mvnw -q test -Dtest=X", "com.x.CalcTest.adds(int)[1]", `./mvnw -q test -Dtest='com.x.CalcTest#adds' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false`},
		{"./gradlew test", "com.x.CalcTest.adds()", `./gradlew test --tests 'com.x.CalcTest.adds'`},
		{"gradle test", "CalcTest > adds()", none},
		{"echo \"unclosed", "x.TestA", none},
		{"&& go test ./...", "x.TestA", none},
	} {
		t.Run(tc.command+" "+tc.test, func(t *testing.T) {
			got, can := Alone(root, tc.command, tc.test)
			if !can {
				got = none
			}
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
