package validate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/validate/results"
)

// volatile is what differs from one run to the next of the same failure. Other
// numbers stay: a different line or value may be a different failure.
var volatile = []struct {
	pattern *lazyregexp.Regexp
	mark    string
}{
	{lazyregexp.New("\x1b\\[[0-9;]*[A-Za-z]"), ""},
	{lazyregexp.New(`0x[0-9a-fA-F]+`), "0x…"},
	{lazyregexp.New(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*`), "<time>"},
	{lazyregexp.New(`\b\d+(\.\d+)?\s?(ns|µs|us|ms|s|sec|seconds|m\d+(\.\d+)?s)\b`), "<duration>"},
	{lazyregexp.New(`(/tmp|/var/folders|[A-Za-z]:\\\S*\\Temp)[/\\]\S+`), "<temp>"},
	{lazyregexp.New(`\b(goroutine|pid|PID|port) \d+`), "$1 …"},
	{lazyregexp.New(`(127\.0\.0\.1|localhost|\[::1\]):\d+`), "$1:…"},
}

var tellsFailure = lazyregexp.New(`(?i)\b(\w*error\w*|fail\w*|panic\w*|exception|fatal|cannot|undefined|expected|not found)\b`)

// FailureSignature names a failure so that two runs which failed alike have the
// same one: the failed tests, sorted, where the output names them; else its
// lines that tell of failure, without times, addresses and temporary paths.
// Empty means that nothing in the output tells what failed.
func FailureSignature(output string) string {
	return signature(results.Read(output).Failed, output)
}

func signature(failed []string, output string) string {
	if len(failed) > 0 {
		return strings.Join(failed, "\n")
	}
	var lines []string
	for line := range strings.Lines(output) {
		if line = steady(line); tellsFailure.MatchString(line) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// Fingerprint is the same for two outputs with the same FailureSignature, or,
// where nothing in them tells of failure, with the same words. It is short.
// Empty means that there are no words.
func Fingerprint(output string) string {
	said := FailureSignature(output)
	if said == "" {
		for line := range strings.Lines(output) {
			said += steady(line) + "\n"
		}
		said = strings.TrimSpace(said)
	}
	if said == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(said))
	return hex.EncodeToString(sum[:8])
}

// steady is a line without what is volatile in it.
func steady(line string) string {
	for _, v := range volatile {
		line = v.pattern.ReplaceAllString(line, v.mark)
	}
	return strings.Join(strings.Fields(line), " ")
}
