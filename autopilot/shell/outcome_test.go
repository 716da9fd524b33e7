package shell

import (
	"strings"
	"testing"
)

func TestCommandsThatCannotFailAreFound(t *testing.T) {
	for _, line := range []string{
		"true", ":", "/bin/true", "exit 0", "echo ok", "printf ok", "printf '%s\\n' ok", "printf 100%%", "true # go test ./...", "# go test ./...",
		"grep -q zzz f1.txt || true", "grep -q zzz f1.txt || :", "grep -q zzz f1.txt || echo missing", "grep -q zzz f1.txt || exit 0",
		"grep -q zzz f1.txt||true", "grep -q zzz f1.txt || printf no", "grep -q zzz f1.txt \\\n  || true", "grep -q zzz f1.txt ||\ntrue",
		"grep -q zzz f1.txt; echo ok", "grep -q zzz f1.txt; true", "grep -q zzz f1.txt; exit 0", "grep -q zzz f1.txt\ntrue\n", "exit 0; grep -q zzz f1.txt",
		"grep zzz f1.txt | cat", "grep zzz f1.txt | cat -n", "grep zzz f1.txt | true", "grep zzz f1.txt | echo ok", "grep zzz f1.txt | wc -l",
		"go test ./... | tee log", "go test ./... 2>&1 | tee -a log", "go test ./... |& tee log", "go test ./... 2>&1 | tail -n 5", "go test ./... | head -20",
		"go test ./... | grep -v cached | cat", "go test ./... && echo ok || echo bad", "go test ./... || { echo bad; true; }", "go test ./... || (exit 0)",
		"(go test ./... || true)", "{ go test ./...; true; }", "go test ./... > log 2>&1 || true", "go test ./... || true > log", "echo ok >&2",
		"if grep -q zzz f1.txt; then echo ok; else echo bad; fi", "if grep -q zzz f1.txt; then echo ok; fi", "if a; then echo a; elif b; then echo b; fi",
		"for f in a b; do grep -q x $f || echo $f; done", "for f in a b; do grep -q x $f; done; echo ok", "go test ./... &", "go test ./... & wait", "! false",
		"sh -c 'go test ./... || true'", "bash -c \"go test ./... | cat\"", "sh -xc 'go test ./...; echo ok'", "bash -lc 'exit 0'", "(exit 1) || true",
		"set -e; go test ./... || true", "set -x; go test ./...; true", "set -o pipefail; go test ./... | cat || true", "set -u; go test ./...; echo ok",
		"env CI=1 true", "CI=1 true", "X=1", "command true", "timeout 60 true", "time true", "echo $(go test ./...)", "echo \"$(go test ./...)\"", "echo `go test ./...`",
		"cd web && go test ./... || true", "cd web; npm test; true", "test -d .", "[ -d . ]", "[ 1 = 1 ]", "test x = x", "true && true", "false || true",
		"grep -q 'a; exit 1' f1.txt || true", "grep -q \"a && b\" f1.txt; echo 'a || b'", "echo ok; # exit 1", "! grep -q zzz f1.txt || true", "go test ./... || true;",
		"test -s f1.txt || echo 'exit 1'", "PATH=bin:$PATH go test || true", "[[ a || b ]] || true", "((1)) || true", "case x in x) true ;; esac",
		"case $(uname) in Linux) go test ./... || true ;; *) echo none ;; esac", "echo ${X:-none}", "echo \"${X%.go}\" *.go", "go test ./... 2>/dev/null || true",
		"if go test ./...; then echo ok; else case $? in 1) echo bad ;; esac; fi", "go test ./... || cat <<EOF | cat\nbad\nEOF", "export CI=1; go test ./... || true",
	} {
		if !CannotFail(line) {
			t.Errorf("%q cannot fail, and is not found", line)
		}
	}
}

func TestCommandsThatCanFailAreLeftAlone(t *testing.T) {
	for _, line := range []string{
		"go test ./...", "test -s f1.txt", "grep -q x f1.txt", "false", "exit 1", "exit", "exit $code", "./check.sh", "sh check.sh", "$CHECK", "\"$GO\" test ./...; false",
		"a && echo ok", "go test ./... && echo ok", "true && go test ./...", "false || go test ./...", "echo start; go test ./...", "true; go test ./...", "cd web && npm test",
		"go test ./... || exit 1", "go test ./... || false", "go test ./... || { echo bad; exit 1; }", "go test ./... || (echo bad; exit 1)", "go test ./... || (echo bad; false)",
		"go test ./... || exit 1; echo ok", "test -s a || exit 1\necho ok", "go vet ./... || exit 1; go test ./...", "if ! go test ./...; then exit 1; fi", "test -s a || return 1; true",
		"if go test ./...; then echo ok; else exit 1; fi", "if a; then echo a; elif b; then false; fi", "if test -s a; then go test ./...; fi",
		"set -e; go test ./...; echo ok", "set -eu\ngo test ./...\necho ok", "set -o errexit; go test ./...; echo ok", "set -ex; go test ./...; true", "set -euo pipefail; go test ./... | tee log",
		"set -o pipefail; go test ./... | tee log", "set -o pipefail && go test ./... | tee log", "bash -o pipefail -c 'go test ./... | tee log'", "bash -euo pipefail -c 'go test ./... | tee log'",
		"sh -ec 'go test ./...; echo ok'", "bash -e -c 'go test ./...; echo ok'", "bash -c 'set -o pipefail; go test ./... | tee log'", "sh -c 'go test ./... && echo ok'", "sh -c \"$RUN\"",
		"go test ./... | grep -q ok", "go test ./... | tee log | grep -q ok", "cat f1.txt", "cat f1.txt | grep -q x", "sort f1.txt | cat - f2.txt", "ls | head -n 1 f1.txt", "go test ./... | tee log && test -s log",
		"go test ./... | tee log; exit ${PIPESTATUS[0]}", "go test ./... > log; code=$?; cat log; exit $code", "! grep -q zzz f1.txt", "! true", "true < f1.txt", ": < f1.txt", "cat < f1.txt",
		"for f in a b; do grep -q x $f || exit 1; done", "for f in a b; do test -s $f; done", "for f in a b; do grep -q x $f || exit 1; done; echo ok", "until test -e a; do sleep 1; done",
		"until test -e a; do sleep 1; done; echo ok", "while read x; do test $x; done < list", "go test ./... & wait $!", "true & go test ./...", "X=$(go test ./...)", "X=$(go test ./...) && echo ok",
		"test \"$(sh greet.sh)\" = hello", "[ \"$(sh greet.sh)\" = hello ]", "test -d web", "test x = \"$X\"", "[ -d . ", "echo \"${X:?}\"", "echo ${X?gone}", "set -u; echo $X", "printf '%d' x", "printf",
		"echo() { false; }; echo ok", "true() { go test ./...; }\ntrue", "alias true=false; true", "trap 'exit 1' EXIT; true", "exec go test ./...; echo ok", "exec go test ./...", ". ./check.sh; echo ok",
		"eval \"$CHECK\"; true", "kill $$; true", "env go test ./...", "CI=1 go test ./...", "timeout 60 go test ./...", "time go test ./...", "command -v go", "command go test", "env", "(go test ./...)",
		"{ go test ./...; }", "(echo a; go test ./...)", "(exit 1)", "cat <<EOF\na\nEOF", "echo 'open", "echo \"open", "echo ok )", "echo ok >&-", "if true",
		"for f in", "true |", "&& true", "; true", "diff <(a) <(b)", "echo $((1/0))", "echo x >> left.txt; grep hello greet.txt", "npm test -- --silent", "make check", "test -f 'a || true'",
		"case x in x) go test ./... ;; esac", "case x in x) true ;; *) exit 1 ;; esac", "case ${X?} in x) true ;; esac", "set -u; for f in $X; do echo; done", "X+=1; true",
		"echo $'a'; true", "echo ${X//a/b}; true", "echo ${X[1]}; true", "X=(a); true", "readonly X; true", "export X=${X?}; true", "cat <<< $X || true", "true {fd}> log",
		"select x in a; do true; done", "function true { false; }; true", "true\r", "true\x00", "cat <<EOF | cat\n${X?}\nEOF", "[[ a ]]", "((0))", "export X", "$X=1 true", "tr?e",
		"grep -q '|| true' f1.txt", "grep -q x f1.txt # || true", "python -c 'import sys; sys.exit(0)'", "grep \"; true\" f1.txt", "test -s f1.txt && ! grep -q bad f1.txt && echo ok", "",
	} {
		if line != "" && CannotFail(line) {
			t.Errorf("%q can fail, and is found", line)
		}
	}
}

func TestLineThatIsTooLongIsLeftAlone(t *testing.T) {
	for _, line := range []string{strings.Repeat("(", 1<<20), strings.Repeat("$(", 1<<20), strings.Repeat("true;", 1<<20)} {
		if CannotFail(line) {
			t.Errorf("%.20q, and more of it, is looked at", line)
		}
	}
}

// What cannot fail fails once it is turned around; so nothing is taken for both, whatever a plan says.
func FuzzCannotFailIsNeverSaidOfBothWays(f *testing.F) {
	for _, line := range []string{"true", "grep x f || true", "if a; then b; else exit 0; fi; echo ok", "! ((", "sh -ec 'a | cat'", "for x in 1; do", "a \\"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if CannotFail(line) && CannotFail("! (\n"+line+"\n)") {
			t.Errorf("neither %q nor the opposite can fail", line)
		}
	})
}
