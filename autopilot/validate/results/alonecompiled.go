package results

import (
	"regexp"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

var goName = lazyregexp.New(`^(?:(\S*?)\.)?((?:Test|Fuzz|Example)[^./\s]*(?:/\S*)?)$`)

// What go test has beside packages: flags with a value of their own, and those that have no place in a run of one test.
var (
	goValues = words("run skip tags timeout count cpu parallel p bench benchtime covermode coverpkg coverprofile o exec ldflags gcflags " +
		"asmflags mod modfile overlay pkgdir toolexec vet shuffle list outputdir cpuprofile memprofile blockprofile mutexprofile trace fuzz fuzztime C")
	goDropped = words("run count bench cover covermode coverpkg coverprofile shuffle list fuzz fuzztime v")
)

func words(list string) []string { return strings.Fields(list) }

func aloneGo(_ string, list segment, test string) (segment, bool) {
	kept, packages, tail := splitFlags(list, goValues, goDropped, "-args")
	m := goName.FindStringSubmatch(test)
	switch {
	case strings.ContainsAny(test, " \t"):
		return nil, false
	case m == nil: // a package
		return slices.Concat(kept, segment{"-count=1", shell.Quote(test)}, tail), true
	case m[1] != "":
		packages = segment{shell.Quote(m[1])}
	}
	if !slices.Contains(kept, "-json") {
		kept = append(kept, "-v")
	}
	parts := strings.Split(m[2], "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return slices.Concat(kept, segment{"-count=1", "-run", shell.Quote(strings.Join(parts, "/"))}, packages, tail), true
}

// splitFlags takes apart flags, with their values, and the rest; from the word last on, everything is tail.
func splitFlags(list segment, values, dropped []string, last string) (flags, rest, tail segment) {
	for i := 0; i < len(list); i++ {
		w := list[i]
		name, _, given := strings.Cut(strings.TrimLeft(bare(w), "-"), "=")
		switch {
		case bare(w) == last:
			return flags, rest, list[i:]
		case !strings.HasPrefix(w, "-") || w == "-":
			rest = append(rest, w)
			continue
		}
		words := segment{w}
		if !given && slices.Contains(values, name) && i+1 < len(list) {
			i++
			words = append(words, list[i])
		}
		if !slices.Contains(dropped, name) {
			flags = append(flags, words...)
		}
	}
	return flags, rest, nil
}

var (
	cargoValues = words("p package features F target manifest-path test bin bench example j jobs profile target-dir exclude color message-format config Z")
	cargoName   = lazyregexp.New(`^\S+\.rs::(\S+)$`)
)

func aloneCargo(_ string, list segment, test string) (segment, bool) {
	m := cargoName.FindStringSubmatch(test)
	if m == nil {
		return nil, false
	}
	flags, _, _ := splitFlags(list, cargoValues, nil, "--")
	return slices.Concat(flags, segment{"--", "--exact", shell.Quote(m[1])}), true
}

func aloneMaven(_ string, list segment, test string) (segment, bool) {
	test, _, _ = strings.Cut(test, "(")
	test, _, _ = strings.Cut(test, "[")
	at := strings.LastIndexByte(test, '.')
	if at < 0 || strings.ContainsAny(test, " /") {
		return nil, false
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return strings.HasPrefix(bare(w), "-Dtest=") })
	return append(kept, "-Dtest="+shell.Quote(test[:at]+"#"+test[at+1:]), "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"), true
}

func aloneGradle(_ string, list segment, test string) (segment, bool) {
	name, _, _ := strings.Cut(test, "(")
	if !strings.Contains(name, ".") || strings.ContainsAny(name, " /") {
		return nil, false
	}
	return append(slices.Clone(list), "--tests", shell.Quote(name)), true
}
