package integrity

import (
	"fmt"
	"go/build/constraint"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// skipped finds a new mark that keeps a test which ran before from running, or
// a new return before all of its checks.
func (d *testDiff) skipped(p pair) (Finding, bool) {
	had := map[string]int{}
	for _, text := range p.before.lines() {
		had[strings.TrimSpace(text)]++
	}
	first := ""
	for i, text := range p.after.lines() {
		if first == "" && i > p.after.head-p.after.from {
			first = text
		}
		key := strings.TrimSpace(text)
		if had[key]--; had[key] >= 0 {
			continue
		}
		above := p.after.src.lines[max(0, p.after.from+i-1)]
		returns := (key == "return" || key == "return;") && (indent(text) == indent(first) || holds.MatchString(above))
		if skips := d.l.is(skips).match(text) && !d.wasSkipped(p.before, text); skips || returns || p.after.undone(d.l, p.after.from+i) {
			why := fmt.Sprintf("The new line %q keeps it from checking what it checked.", key)
			if d.l.is(elsewhere).match(text) || condition.MatchString(above) && d.l.is(elsewhere).match(above) {
				return p.at(Important, p.after.from+i, "test "+p.after.name+" is skipped on some machines", why), true
			}
			return p.at(Critical, p.after.from+i, "test "+p.after.name+" no longer runs", why), true
		}
	}
	return Finding{}, false
}

// undone tells whether line i makes something else of the test itself.
func (f function) undone(l *language, i int) bool {
	if !l.is(undoes).match(f.src.lines[i]) {
		return false
	}
	within, is := f.src.around(i)
	return is && within.head == f.head
}

// holds is a condition that always does.
var holds = lazily(`^\s*if \(?(?:true|True|1)\)?\s*[:{]`)

// wasSkipped: the same kind of mark with other words, a new reason say.
func (d *testDiff) wasSkipped(f function, text string) bool {
	mark := d.l.is(skips).find(text)
	return slices.ContainsFunc(f.lines(), func(old string) bool { return d.l.is(skips).find(old) == mark })
}

// idle tells whether a test is skipped, whatever the machine.
func (d *testDiff) idle(f function) bool {
	for i := f.from; i < f.to; i++ {
		text := f.src.lines[i]
		first := f.src.lines[min(f.head+1, f.to-1)]
		if (i <= f.head || indent(text) == indent(first)) && d.l.is(skips).match(text) && !d.l.is(elsewhere).match(text) {
			return true
		}
	}
	return false
}

// runAlone finds new tests that keep others of the file from running.
func (d *testDiff) runAlone(a Allowed) []Finding {
	ran := map[*source]bool{}
	for _, p := range d.pairs {
		ran[p.after.src] = !a.testAnnounced(p.before.src.path) && !a.testAnnounced(p.after.src.path)
	}
	var found []Finding
	for _, f := range d.added {
		for i := f.from; i <= f.head && ran[f.src]; i++ {
			if d.l.is(sole).match(f.src.lines[i]) {
				found = append(found, Finding{
					Critical, f.src.path, i + 1, "tests no longer run",
					fmt.Sprintf("The new test %s keeps the others of the file from running. %s", f.name, notAnnounced),
				})
				break
			}
		}
	}
	return found
}

// skippedTogether finds new marks outside of test functions (a suite, a class, a
// build constraint) in files with tests that ran before.
func (d *testDiff) skippedTogether(a Allowed) []Finding {
	had, tested := map[string]int{}, map[string]bool{}
	for _, p := range d.pairs {
		tested[p.after.src.path] = !a.testAnnounced(p.before.src.path) && !a.testAnnounced(p.after.src.path)
	}
	for _, s := range d.before {
		for _, text := range s.outside() {
			had[strings.TrimSpace(text)]++
		}
	}
	var found []Finding
	for _, s := range d.after {
		if !tested[s.path] {
			continue
		}
		for i, text := range s.outside() {
			key := strings.TrimSpace(text)
			if key == "" {
				continue
			}
			if had[key]--; had[key] < 0 && d.l.is(skips).match(text) {
				f := Finding{
					Critical, s.path, i + 1, "tests no longer run",
					fmt.Sprintf("The new line %q keeps tests of the file from running. %s", key, notAnnounced),
				}
				if d.l.is(elsewhere).match(text) || builtHere(key) {
					f.Severity, f.Title = Important, "tests are skipped on some machines"
				}
				found = append(found, f)
			}
		}
	}
	return found
}

// goRelease is the minor release of Go that this program is built with. It reads the number itself: go/build, which lists
// the releases, makes tables at each start of the program.
func goRelease() int {
	_, minor, _ := strings.Cut(runtime.Version(), "go1.")
	if end := strings.IndexFunc(minor, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
		minor = minor[:end]
	}
	n, _ := strconv.Atoi(minor)
	return n
}

// builtHere tells whether a build constraint of Go holds on this machine.
func builtHere(text string) bool {
	expr, err := constraint.Parse(text)
	unix := runtime.GOOS != "windows" && runtime.GOOS != "plan9" && runtime.GOOS != "js"
	return err == nil && expr.Eval(func(tag string) bool {
		release, is := strings.CutPrefix(tag, "go1.")
		n, err := strconv.Atoi(release)
		return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "unix" && unix || is && err == nil && n <= goRelease()
	})
}

// platforms are ends of a file's name that Go takes for a build constraint.
var platforms = setOf(`aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows
	386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)

// renamedAway finds test files of Go that got a name by which only some machines
// build them.
func (d *testDiff) renamedAway(a Allowed) []Finding {
	if d.l.name != "Go" {
		return nil
	}
	var found []Finding
	seen := map[string]bool{}
	for _, p := range d.pairs {
		now := platformOf(p.after.src.path)
		if p.after.src.path == p.before.src.path || now == "" || now == platformOf(p.before.src.path) || seen[p.after.src.path] || a.testAnnounced(p.before.src.path) {
			continue
		}
		seen[p.after.src.path] = true
		s := Critical
		if now == runtime.GOOS || now == runtime.GOARCH {
			s = Important
		}
		found = append(found, p.at(s, p.after.head, "tests no longer run", "By the name of the file they are built for "+now+" only."))
	}
	return found
}

func platformOf(p string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(p), "_test.go"), "_")
	if last := parts[len(parts)-1]; len(parts) > 1 && platforms.has(last) {
		return last
	}
	return ""
}
