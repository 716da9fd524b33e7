package cmd_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// jsonIs is `json FILE PATH WANT`: FILE is a file, stdout, or status (what autopilot status docs/spec.md --json
// prints). PATH is like phases.0.status, with -1 for a list's last and len for its length. WANT is the text of a string
// or the JSON of anything else; `absent`; or ~ and a regular expression. `! json …` wants it to differ.
func jsonIs(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, len(args) != 3, "json FILE PATH WANT")
	if args[0] == "status" {
		ts.Check(ts.Exec("autopilot", "status", "docs/spec.md", "--json"))
		args[0] = "stdout"
	}
	expect(ts, neg, ts.ReadFile(args[0]), args[0], args[1], args[2])
}

// stateIs is `state PATH WANT`: the same for autopilot-state.json of the one session of the repository.
func stateIs(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, len(args) != 2, "state PATH WANT")
	files, err := filepath.Glob(ts.MkAbs(".harness/sessions/*/autopilot-state.json"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("there are %d sessions, not one: %v", len(files), files)
	}
	expect(ts, neg, ts.ReadFile(files[0]), "the state", args[0], args[1])
}

// lastJSON is `last PATH WANT`: the same for the last line of standard output; every line before must be an object
// with event, time and session, and none of them final.
func lastJSON(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, len(args) != 2, "last PATH WANT")
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	last := len(lines) - 1
	for i, line := range lines {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("line %d is no JSON: %v: %s", i+1, err, line)
		}
		if (object["event"] == "final") != (i == last) {
			ts.Fatalf("line %d of %d has event %v", i+1, len(lines), object["event"])
		}
		for _, key := range []string{"event", "time", "session"} {
			if i < last && (object[key] == nil || object[key] == "") {
				ts.Fatalf("line %d has no %s: %s", i+1, key, line)
			}
		}
	}
	expect(ts, neg, lines[last], "the last line", args[0], args[1])
}

func expect(ts *testscript.TestScript, neg bool, text, name, path, want string) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		ts.Fatalf("%s is no JSON: %v", name, err)
	}
	got := pick(value, path)
	same := got == want
	if pattern, ok := strings.CutPrefix(want, "~"); ok {
		same = regexp.MustCompile(pattern).MatchString(got)
	}
	if same == neg {
		ts.Fatalf("%s of %s is %s, want %s (differs: %v)", path, name, got, want, neg)
	}
}

// pick follows a path of keys and indexes; what is not there is "absent".
func pick(value any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			found, ok := v[key]
			if !ok {
				return "absent"
			}
			value = found
		case []any:
			if key == "len" {
				return fmt.Sprint(len(v))
			}
			i, err := strconv.Atoi(key)
			if i < 0 {
				i += len(v)
			}
			if err != nil || i < 0 || i >= len(v) {
				return "absent"
			}
			value = v[i]
		default:
			return "absent"
		}
	}
	if text, ok := value.(string); ok {
		return text
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
