package results

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// What pytest has beside paths: flags with a value of their own, and those that have no place in a run of one test (a
// report that would be overwritten, a coverage that one test does not reach).
var (
	pytestValues = words("rootdir c p o W k m basetemp ignore ignore-glob confcutdir deselect tb maxfail durations n numprocesses dist timeout " +
		"import-mode color log-level log-cli-level junitxml junit-xml junit-prefix cov cov-report cov-config cov-fail-under override-ini r")
	pytestDropped = words("junitxml junit-xml junit-prefix cov cov-report cov-config cov-fail-under cov-branch cov-append lf last-failed ff failed-first sw stepwise")
)

func alonePytest(folder string, list segment, test string) (segment, bool) {
	file, _, _ := strings.Cut(test, "::")
	if !strings.HasSuffix(file, ".py") {
		return nil, false
	}
	kept := pruned(list, pytestValues, pytestDropped, func(w string) bool {
		place, _, node := strings.Cut(bare(w), "::")
		return node || has(folder, filepath.FromSlash(place)) || strings.Contains(place, "*")
	})
	return append(kept, shell.Quote(test)), true
}

// pruned leaves out flags, with their values, and what stands beside flags and drop wants to go. The order stays: a
// flag that nobody here knows may have a value, too.
func pruned(list segment, values, dropped []string, drop func(word string) bool) segment {
	var kept segment
	for i := 0; i < len(list); i++ {
		w := list[i]
		name, _, given := strings.Cut(strings.TrimLeft(bare(w), "-"), "=")
		isFlag := strings.HasPrefix(w, "-")
		n := 1
		if isFlag && !given && slices.Contains(values, name) && i+1 < len(list) && !strings.HasPrefix(list[i+1], "-") {
			n = 2
		}
		if isFlag && !slices.Contains(dropped, name) || !isFlag && !drop(w) {
			kept = append(kept, list[i:i+n]...)
		}
		i += n - 1
	}
	return kept
}

func keep(string) bool { return false }

var unittestID = lazyregexp.New(`^[\w.]+`)

func aloneUnittest(_ string, list segment, test string) (segment, bool) {
	name := unittestID.FindString(test)
	if !strings.Contains(name, ".") {
		return nil, false
	}
	if last := path.Ext(name); !strings.HasPrefix(last, ".test") {
		name += ".*" // a class, in whose preparation something failed
	}
	return append(slices.Clone(list), "-k", shell.Quote("*"+name)), true
}

// leaf is the last part of a name, without the number that tells tests of one name apart.
func leaf(test string) string {
	test = numbering.ReplaceAllString(test, "")
	return test[max(0, strings.LastIndex(test, " > ")+len(" > ")*min(1, strings.Count(test, " > "))):]
}

var numbering = lazyregexp.New(` #\d+$`)

func aloneNode(folder string, list segment, test string) (segment, bool) {
	at := slices.IndexFunc(list, func(w string) bool { return bare(w) == "--test" })
	name := leaf(test)
	if at < 0 || has(folder, name) {
		return nil, false // a file that fails as a whole is no test
	}
	kept := slices.DeleteFunc(slices.Clone(list[at+1:]), func(w string) bool {
		return strings.HasPrefix(w, "--test-reporter") || strings.HasPrefix(w, "--test-coverage") || w == "--experimental-test-coverage"
	})
	pattern := "--test-name-pattern=" + shell.Quote("^"+regexp.QuoteMeta(name)+"$")
	return slices.Concat(list[:at+1], segment{pattern}, kept), true
}

// titled takes the file from the front of a name, and writes the rest as the title that a filter is held against.
func titled(test string) (file segment, filter string) {
	name := numbering.ReplaceAllString(test, "")
	if place, rest, found := strings.Cut(name, " > "); found && jsFile.MatchString(place) {
		file, name = segment{shell.Quote(place)}, rest
	}
	return file, shell.Quote("^" + regexp.QuoteMeta(strings.ReplaceAll(name, " > ", " ")) + "$")
}

var (
	jsValues  = words("t testNamePattern reporters reporter R outputFile g grep f fgrep")
	jsDropped = words("t testNamePattern reporters reporter R outputFile g grep f fgrep coverage collectCoverage coverageThreshold json bail b onlyFailures o")
)

func aloneJest(_ string, list segment, test string) (segment, bool) {
	file, filter := titled(test)
	return slices.Concat(pruned(list, jsValues, jsDropped, keep), file, segment{"--coverage=false", "-t", filter}), !jsFile.MatchString(test)
}

func aloneVitest(_ string, list segment, test string) (segment, bool) {
	kept := pruned(list, jsValues, jsDropped, keep)
	if !slices.Contains(kept, "run") && !slices.Contains(kept, "--run") {
		kept = append(segment{"run"}, kept...)
	}
	file, filter := titled(test)
	return slices.Concat(kept, file, segment{"--coverage.enabled=false", "-t", filter}), !jsFile.MatchString(test)
}

func aloneMocha(_ string, list segment, test string) (segment, bool) {
	_, filter := titled(test)
	return append(pruned(list, jsValues, jsDropped, keep), "--grep", filter), true
}
