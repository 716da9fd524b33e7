package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestScriptsThatALineRunsAreNamed(t *testing.T) {
	for line, want := range map[string]string{
		"sh ci/check.sh":                                             "ci/check.sh",
		"./ci/check.sh --all":                                        "ci/check.sh",
		"ci/check":                                                   "ci/check",
		"bash -euo pipefail scripts/test.sh":                         "scripts/test.sh",
		"cd ci && sh check.sh":                                       "ci/check.sh",
		"cd ci && ./check.sh && cd - && ./x.sh":                      "ci/check.sh x.sh",
		"cd web; node ../tools/check.js":                             "tools/check.js",
		"(cd web && ./a.sh) && ./b.sh":                               "web/a.sh b.sh",
		"python tools/check.py":                                      "tools/check.py",
		"python3.12 -u -W error tools/check.py":                      "tools/check.py",
		"python -m tools.check":                                      "tools/check.py tools/check/__main__.py",
		"python -umtools.check":                                      "tools/check.py",
		"python -mtools.check":                                       "tools/check.py",
		".venv/bin/python tools/check.py":                            "tools/check.py .venv/bin/python",
		"node scripts/check.js src":                                  "scripts/check.js",
		"node --require ./a.js scripts/check":                        "scripts/check scripts/check.js",
		"deno run -A ci/check.ts":                                    "ci/check.ts",
		"bun ci/check.ts":                                            "ci/check.ts",
		"bun run ci/check.ts":                                        "ci/check.ts",
		"npx tsx ci/check.ts":                                        "ci/check.ts",
		"ts-node -P tsconfig.json ci/check.ts":                       "ci/check.ts",
		"ruby -Ilib -w ci/check.rb":                                  "ci/check.rb",
		"perl -Mstrict ci/check.pl":                                  "ci/check.pl",
		"php -d display_errors=1 ci/check.php":                       "ci/check.php",
		"lua ci/check.lua":                                           "ci/check.lua",
		"Rscript --vanilla ci/check.R":                               "ci/check.R",
		"pwsh -NoProfile -File ci/check.ps1":                         "ci/check.ps1",
		"powershell -f ci/check.ps1":                                 "ci/check.ps1",
		"uv run --with pytest ci/check.py":                           "ci/check.py",
		"uv run check.py":                                            "check.py",
		"poetry run python ci/check.py":                              "ci/check.py",
		"env CI=1 LANG=C sh ci/check.sh":                             "ci/check.sh",
		"CI=1 ./ci/check.sh":                                         "ci/check.sh",
		"timeout -k 5 60 sh ci/check.sh":                             "ci/check.sh",
		"time ./ci/check.sh":                                         "ci/check.sh",
		"sudo -u nobody ./ci/check.sh":                               "ci/check.sh",
		"nice -n 10 timeout 5m ci/check":                             "ci/check",
		"xargs -n 1 sh ci/check.sh":                                  "ci/check.sh",
		"watch -n 1 'sh ci/check.sh'":                                "ci/check.sh",
		". ci/env.sh && true":                                        "ci/env.sh",
		"source ./ci/env.sh":                                         "ci/env.sh",
		"true && sh a.sh || sh b.sh; sh c.sh":                        "a.sh b.sh c.sh",
		"cat list | sh a.sh":                                         "a.sh",
		"true\nsh a.sh\n":                                            "a.sh",
		"if ! sh a.sh; then exit 1; fi":                              "a.sh",
		"sh -c 'cd ci && sh check.sh' && ./x":                        "ci/check.sh x",
		"bash -lc './ci/check.sh'":                                   "ci/check.sh",
		"eval 'sh a.sh'":                                             "a.sh",
		"sh < ci/check.sh":                                           "ci/check.sh",
		"bash <ci/check.sh":                                          "ci/check.sh",
		"cat ci/check.sh | sh":                                       "ci/check.sh",
		"sh ci/check.sh > out.txt 2>&1":                              "ci/check.sh",
		"sh ci/check.sh 2>&1 | tee log":                              "ci/check.sh",
		"D=ci; sh $D/check.sh":                                       "ci/check.sh",
		"for s in a.sh b.sh; do sh $s; done":                         "a.sh b.sh",
		"sh \"$PWD/ci/check.sh\"":                                    "ci/check.sh",
		"sh $(pwd)/ci/check.sh":                                      "ci/check.sh",
		"cd ci; sh \"$(git rev-parse --show-toplevel)/ci/check.sh\"": "ci/check.sh",
		"sh /repo/ci/check.sh":                                       "ci/check.sh",
		"python app.py | grep -q hello":                              "app.py?",
		"python app.py 2>&1 | tail -n 3 | grep -q hello":             "app.py?",
		"[ \"$(sh greet.sh)\" = hello ]":                             "greet.sh?",
		"test $(sh greet.sh) = hello && sh ci/check.sh":              "greet.sh? ci/check.sh",
		"diff want.txt <(./greet.sh)":                                "greet.sh?",
		"sh 'ci/my check.sh'":                                        "ci/my check.sh",
	} {
		var found []string
		for _, s := range Scripts(line, "/repo", "") {
			found = append(found, s.Path+map[bool]string{true: "?"}[s.Looked])
		}
		for _, w := range strings.Split(strings.ReplaceAll(want, "my check", "my\x00check"), " ") {
			if w = strings.ReplaceAll(w, "\x00", " "); !slices.Contains(found, w) {
				t.Errorf("%q: got %q, want %s", line, found, w)
			}
		}
	}
}

func TestWhatALineOnlyReadsIsNoScript(t *testing.T) {
	for _, line := range []string{
		"pytest tests/test_x.py", "go test ./x", "go vet ./...", "node --test test/a.test.js", "test -s out.txt",
		"grep -q x file.txt", "cat good.txt", "[ -e ci/check.sh ] && true", "timeout 60 pytest tests/test_x.py", "npx jest test/a.test.js",
		"uv run pytest tests/test_x.py", "poetry run pytest tests", "bundle exec rspec spec/a_spec.rb", "bun test a.test.ts", "deno test a.ts",
		"deno check a.ts", "node --check src/a.js", "bash -n ci/check.sh", "sh -en a.sh", "ruby -c a.rb", "php -l a.php", "perl -wc a.pl",
		"node -e 'require(\"./a.js\")'", "python -c 'import a' a.py", "ruby -e 'puts 1' a.rb", "shellcheck ci/check.sh", "make test", "npm run test",
		"cargo test", "./../x.sh", "/bin/sh -c true", "/usr/bin/env true", "cat > x <<EOF\n./a.sh\nEOF", "echo 'sh a.sh'", "command -v ./a.sh", "cat a.sh | grep x",
	} {
		if found := Scripts(line, "/repo", ""); len(found) > 0 {
			t.Errorf("%q: got %v", line, found)
		}
	}
}

func TestScriptsOfAFolder(t *testing.T) {
	for line, want := range map[string]string{"sh check.sh": "web/check.sh", "sh ../check.sh": "check.sh", "cd .. && ./x": "x"} {
		if found := Scripts(line, "/repo", "web"); len(found) != 1 || found[0].Path != want {
			t.Errorf("%q: got %v, want %s", line, found, want)
		}
	}
}

func TestScriptsThatAScriptRuns(t *testing.T) {
	for text, want := range map[string]string{
		"#!/bin/sh\nset -e\nsh ./inner.sh\n":                       "inner.sh",
		"cd ci\nsh inner.sh":                                       "ci/inner.sh",
		"sh \"$(dirname \"$0\")/inner.sh\"":                        "ci/inner.sh",
		"sh $(dirname $0)/../inner.sh":                             "inner.sh",
		". `dirname \"$0\"`/lib.sh":                                "ci/lib.sh",
		"cd \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && ./inner.sh": "ci/inner.sh",
		"cd \"${0%/*}\"; ./inner.sh":                               "ci/inner.sh",

		"DIR=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\n\"$DIR\"/inner.sh":      "ci/inner.sh",
		"ROOT=$(cd -- \"$(dirname \"$0\")/..\" >/dev/null 2>&1 && pwd -P)\nsh $ROOT/inner":  "inner",
		"HERE=$(dirname \"$(readlink -f \"$0\")\")\nexec \"$HERE/inner.sh\" \"$@\"":         "ci/inner.sh",
		"fail=0\nfor s in a b; do sh ci/$s.sh || fail=1; done\nexit $fail":                  "ci/a.sh ci/b.sh",
		"check() {\n  sh inner.sh\n}\ncheck":                                                "inner.sh",
		"if ! ./inner.sh; then\n  exit 1\nfi":                                               "inner.sh",
		"# sh no.sh\ncat > x.sh <<EOF\nsh no.sh\nEOF\ntest -s no.sh\ngo test ./...\nsh yes": "yes",
	} {
		var found []string
		for _, s := range ScriptsIn(text, "/repo", Script{Path: "ci/check.sh", Dir: "."}) {
			found = append(found, s.Path)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
