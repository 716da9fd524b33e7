package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/words"
)

// rule is a named form that a text, or each text of a list, must have.
type rule struct {
	text string // goes on the sentence "must be …"
	ok   func(string) bool
}

var (
	nameForm     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	modelForm    = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:@-]*$`)
	serverForm   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)
	variableForm = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

var rules = map[string]rule{
	"text":     {"a string that is not empty", func(s string) bool { return strings.TrimSpace(s) != "" }},
	"name":     {"a name of letters, digits, '.', '_' and '-'", nameForm.MatchString},
	"model":    {"the name of a model, without slashes", modelForm.MatchString},
	"server":   {"a name of up to 32 letters, digits, '_' and '-'", serverForm.MatchString},
	"variable": {"the name of an environment variable", variableForm.MatchString},
	"program":  {"a program and its arguments", nil},
	"url":      {"an http or https address without user and password", isPlainURL},
	"inside":   {"a path inside the repository", func(s string) bool { return filepath.IsLocal(filepath.FromSlash(s)) }},
	"wait":     {"auto, never, or a duration such as 30m", isWait},
}

// check holds a value to the item's rule and returns what is wrong with it. A
// rule is a name from the table, a range ("0..10", "1..", ">0"; durations
// count in seconds), or words to choose from ("keep|rollback").
func (it *item) check(v any) string {
	switch v := v.(type) {
	case string:
		return it.checkText(v)
	case []string:
		return it.checkTexts(v)
	case int:
		return checkRange(it.allow, float64(v), v)
	case float64:
		return checkRange(it.allow, v, v)
	case time.Duration:
		return checkRange(it.allow, v.Seconds(), words.Short(v))
	}
	return ""
}

func (it *item) checkText(s string) string {
	if it.allow == "" {
		return ""
	}
	if r, named := rules[it.allow]; named {
		if r.ok(s) {
			return ""
		}
		return "must be " + r.text
	}
	words := strings.Split(it.allow, "|")
	if slices.Contains(words, s) {
		return ""
	}
	return fmt.Sprintf("must be one of %s, not %q", strings.Join(words, ", "), clip(s))
}

func (it *item) checkTexts(list []string) string {
	if it.allow == "program" {
		if len(list) == 0 || strings.TrimSpace(list[0]) == "" {
			return "must be " + rules["program"].text
		}
		return ""
	}
	for _, s := range list {
		problem := it.checkText(s)
		switch _, named := rules[it.allow]; {
		case problem != "" && !named:
			return problem
		case problem != "":
			return fmt.Sprintf("%s, which %q is not", problem, clip(s))
		}
	}
	return ""
}

func checkRange(allow string, n float64, shown any) string {
	if bound, isMore := strings.CutPrefix(allow, ">"); isMore {
		if n > number(bound) {
			return ""
		}
		return fmt.Sprintf("must be more than %s, not %v", bound, shown)
	}
	low, high, isRange := strings.Cut(allow, "..")
	switch {
	case !isRange, n >= number(low) && (high == "" || n <= number(high)):
		return ""
	case high == "":
		return fmt.Sprintf("must be %s or more, not %v", low, shown)
	}
	return fmt.Sprintf("must be from %s to %s, not %v", low, high, shown)
}

// number reads a bound of this package's own tags, which a test holds to be
// well formed.
func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64)
	return n
}

func isPlainURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func isWait(s string) bool {
	if s == "auto" || s == "never" {
		return true
	}
	d, err := time.ParseDuration(s)
	return err == nil && d > 0
}

// clip keeps a message to one line of sensible length.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
