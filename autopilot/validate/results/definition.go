package results

import (
	"path"
	"regexp"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Definition matches the line of a source file that defines a test: a function of that name, or a text.
func Definition(name string) *lazyregexp.Regexp {
	if m := goName.FindStringSubmatch(name); m != nil {
		test, _, _ := strings.Cut(m[2], "/")
		return lazyregexp.New(`^func ` + regexp.QuoteMeta(test) + `\(`)
	}
	last := leaf(name)
	if strings.Contains(last, "::") {
		last = last[strings.LastIndex(last, "::")+2:]
	} else if !strings.ContainsAny(last, " ") && path.Ext(last) != "" {
		last = strings.TrimPrefix(path.Ext(last), ".")
	}
	last, _, _ = strings.Cut(last, "[")
	return lazyregexp.New("(?:\\b(?:def|fn|func|void)\\s+|[\"'`])" + regexp.QuoteMeta(last) + "(?:[\"'`]|\\s*[(<])")
}
