package personas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/words"
)

// maxReply bounds what is read as a reply, in bytes.
const maxReply = 1 << 20

// ReplyError says what is wrong with a reply, in words that go back to the agent.
type ReplyError struct{ Problems []string }

func (e *ReplyError) Error() string {
	return "the reply is not valid: " + strings.Join(e.Problems, "; ")
}

// ParseReply reads a reply and judges it by the schema. Synonyms of statuses,
// severities and confidences are taken; fields that nobody knows are named in Unknown. The
// error is a *ReplyError that lists every problem.
func ParseReply(data []byte) (Reply, error) {
	var r Reply
	if len(data) > maxReply {
		return r, &ReplyError{[]string{fmt.Sprintf("it is larger than %d bytes", maxReply)}}
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return r, &ReplyError{[]string{"it is empty"}}
	}
	if err := decodeOne(data, &r); err != nil {
		return Reply{}, &ReplyError{[]string{jsonProblem(data, err)}}
	}
	r.normalise()
	r.Unknown = unknownFields(data)
	if problems := r.problems(); len(problems) > 0 {
		return r, &ReplyError{append(problems, r.UnknownFields()...)}
	}
	return r, nil
}

// decodeOne refuses text after the value, for two replies are none, and a key that is there twice: which of two statuses
// is meant is not for the program to choose.
func decodeOne(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after the JSON object")
	}
	return jsonedit.UniqueKeys(data)
}

func jsonProblem(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var twice *jsonedit.DuplicateKeyError
	switch {
	case errors.As(err, &syntax):
		at := min(int(syntax.Offset), len(data))
		return fmt.Sprintf("it is not JSON: line %d: %v", 1+bytes.Count(data[:at], []byte("\n")), syntax)
	case errors.As(err, &twice):
		return twice.Error()
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s must be %s, not %s", kind.Field, jsonKind(kind.Type.Kind().String()), clipped(kind.Value))
	case errors.As(err, &kind):
		return fmt.Sprintf("it must be a JSON object, not %s", clipped(kind.Value))
	}
	return "it is not JSON: " + clipped(err.Error())
}

func jsonKind(goKind string) string {
	switch goKind {
	case "slice":
		return "an array"
	case "struct", "map":
		return "an object"
	case "int", "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "a string"
}

func (r Reply) problems() []string {
	var out []string
	say := func(bad bool, format string, args ...any) {
		if bad {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(r.V != ReplyVersion, "v is %d, and only %d is known", r.V, ReplyVersion)
	say(!slices.Contains([]Status{StatusDone, StatusBlocked, StatusFailed}, r.Status),
		"status is %s; it must be done, blocked or failed", quoted(r.Status))
	say(r.Summary == "", "summary is missing")
	say(r.Status == StatusBlocked && strings.TrimSpace(r.Blocker) == "",
		"status is blocked, but blocker does not say what a human must do")
	for _, list := range []struct {
		name string
		n    int
	}{
		{"concerns", len(r.Concerns)}, {"assumptions", len(r.Assumptions)}, {"findings", len(r.Findings)}, {"evidence", len(r.Evidence)}, {"criteria", len(r.Criteria)}, {"learnings", len(r.Learnings)}, {"judged", len(r.Judged)}, {"checks", len(r.Checks)},
	} {
		say(list.n > maxListed, "%s has %d entries, and at most %d are taken; keep those that matter most", list.name, list.n, maxListed)
	}
	for i, f := range first(r.Findings) {
		say(!slices.Contains([]Severity{Critical, Important, Suggestion}, f.Severity),
			"findings[%d].severity is %s; it must be critical, important or suggestion", i, quoted(f.Severity))
		say(strings.TrimSpace(f.Title) == "", "findings[%d].title is missing", i)
		say(f.Line < 0, "findings[%d].line is %d; lines count from 1", i, f.Line)
	}
	for i, e := range first(r.Evidence) {
		say(strings.TrimSpace(e.Command) == "", "evidence[%d].command is missing", i)
	}
	for i, c := range first(r.Criteria) {
		say(strings.TrimSpace(c.Text) == "", "criteria[%d].text is missing", i)
		say(!slices.Contains([]Confidence{High, Medium, Low}, c.Confidence),
			"criteria[%d].confidence is %s; it must be high, medium or low", i, quoted(c.Confidence))
	}
	for i, j := range first(r.Judged) {
		say(!slices.Contains(Verdicts, j.Verdict), "judged[%d].verdict is %s; of a finding it is still, fixed or wrong, of a check code, check or spec", i, quoted(j.Verdict))
	}
	say(len(r.Checks) > maxChecks, "checks has %d entries, and at most %d are taken", len(r.Checks), maxChecks)
	for i, c := range first(r.Checks) {
		say(strings.TrimSpace(c.Quote) == "" || strings.TrimSpace(c.Command) == "", "checks[%d] has no quote, or no command", i)
		for _, f := range c.Files {
			say(!filepath.IsLocal(f.Path), "checks[%d] has the file %s, which is not a path below the root of the repository", i, quoted(f.Path))
		}
	}
	return words.FirstFew(out, maxProblems)
}
