package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
)

// What is a secret by its value, and what by its look.
const (
	knownSecret = "Zq7vWx9kYj3mPb5n"
	likeAKey    = "ghp_R4tL8sD2fG6hJ1kQ9wE5yU3iO7pA0zXcVbNm"
)

// dense is a text in which wherever it is cut lies within a secret.
func dense(bytes int) string {
	return strings.Repeat(knownSecret+","+likeAKey+";", bytes/(len(knownSecret)+len(likeAKey)+2)+1)
}

// wantNoPart looks for what is left of a secret: any six bytes of it.
func wantNoPart(t *testing.T, where, text, secret string) {
	t.Helper()
	for at := range len(secret) - 5 {
		if i := strings.Index(text, secret[at:at+6]); i >= 0 {
			t.Errorf("%s has %q: …%s…", where, secret[at:at+6], text[max(0, i-60):min(len(text), i+60)])
			return
		}
	}
}

// TestNothingThatShortensLeavesAPartOfASecret: the tools' bounds, the window's, those of audit lines, events, summaries
// and of what is said in the end.
func TestNothingThatShortensLeavesAPartOfASecret(t *testing.T) {
	d := world(t)
	long := dense(4_000)
	put(t, d.Dir, map[string]string{
		"line.txt":  "x " + long + "\nand the line beside it\n",
		"much.txt":  strings.Repeat(dense(900)+"\n", 75),
		"other.txt": "x\n",
	})
	git(t, d.Dir, "add", "-f", "much.txt")
	git(t, d.Dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "much")
	put(t, d.Dir, map[string]string{"much.txt": "gone\n"})
	quoted := func(format string) string { return fmt.Sprintf(format, long) }
	turns := []turn{calls(
		"read_file", `{"path":"line.txt"}`, "search", `{"pattern":"^x "}`,
		"edit_file", quoted(`{"path":"line.txt","old":"x %s and more","new":"y"}`),
		"apply_patch", quoted(`{"patch":"*** Update File: other.txt\n@@\n!!!!!!!!!!!!!!!!%s"}`),
		"apply_patch", quoted(`{"patch":"*** Update File: line.txt\n@@\n-x %s, and more\n+y\n"}`),
		long, `{}`, "list_files", quoted("no object: %s"),
	)}
	for _, call := range [][2]string{
		{"run_command", quoted(`{"command":": '%s'; git show HEAD:much.txt"}`)},
		{"run_command", quoted(`{"command":": '%s'; git show HEAD:much.txt | tr '\\n' ' '"}`)},
		{"git_diff", `{}`},
		{"git_show", `{"rev":"HEAD"}`},
		{"git_show", `{"rev":"HEAD","path":"much.txt"}`},
	} {
		turns = append(turns, calls(call[0], call[1]))
	}
	turns = append(turns, says(long), says(long), says(long))
	for _, window := range []int{200_000, 16_000} {
		d.AttemptDir = filepath.Join(d.Dir, fmt.Sprintf(".harness/sessions/s/attempts/%d", window))
		var told, wire strings.Builder
		d.OnEvent = func(kind, text string) { told.WriteString(kind + " " + text + "\n") }
		s := &script{turns: turns}
		out, err := New(s, Options{Window: window, Secrets: []string{knownSecret}}).Dispatch(t.Context(), d)
		if err != nil || out.Kind != personas.NoReply {
			t.Fatalf("%+v, %v", out, err)
		}
		for _, m := range s.messages {
			wire.WriteString(m.Content + "\n")
			for _, c := range m.Calls {
				wire.WriteString(c.Arguments + "\n")
			}
		}
		wantNoPart(t, "what the model was told", wire.String(), knownSecret)
		wantNoPart(t, "what the model was told, whole keys aside", strings.ReplaceAll(wire.String(), likeAKey, ""), likeAKey)
		kept := map[string]string{"the events": told.String(), "the outcome": out.Detail}
		err = filepath.WalkDir(d.AttemptDir, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				kept[filepath.Base(path)] = read(t, path)
			}
			return err
		})
		if err != nil || len(kept) < 6 {
			t.Fatalf("%d records, %v", len(kept), err)
		}
		for name, text := range kept {
			wantNoPart(t, name, text, knownSecret)
			wantNoPart(t, name, text, likeAKey)
		}
	}
}
