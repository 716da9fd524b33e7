package hub

import (
	"context"
	"path"
	"slices"
	"strings"

	"autopilot/sessions"
)

// merged is what a folder changes in the records of the hub, which others may have changed since the folder was last given. Of a file
// that both changed, what both appended to a text is kept; else the folder's is newer. Nobody deletes what somebody else changed. The
// longer journal is right, as one begins with the other, and with it the state.
func (s *Session) merged(ctx context.Context, given string, mine []entry, there string) ([]entry, error) {
	if there == "" {
		return mine, nil
	}
	changed, err := s.clone.git.differing(ctx, given, there)
	if err != nil {
		return nil, err
	}
	theirs := map[string]entry{}
	for _, e := range changed {
		theirs[e.path] = e
	}
	ahead := len(s.file(ctx, there, sessions.JournalName)) > len(s.file(ctx, s.folder, sessions.JournalName))
	var files []entry
	for _, e := range mine {
		other, both := theirs[e.path]
		if both && (e.mode == gone || ahead && slices.Contains(followed, e.path)) {
			continue
		}
		if both && other.mode != gone && other.blob != e.blob && isText(e.path) {
			if e.blob, err = s.both(ctx, given, there, e.path); err != nil {
				return nil, err
			}
		}
		files = append(files, e)
	}
	return files, nil
}

// followed are the journal, and the files that follow it.
var followed = []string{sessions.JournalName, sessions.SnapshotName, sessions.SnapshotName + ".bak"}

// file is a file of a tree; "" where there is none.
func (s *Session) file(ctx context.Context, tree, name string) string {
	text, err := s.clone.git.call(ctx, call{args: []string{"cat-file", "blob", tree + ":" + name}})
	if err != nil {
		return ""
	}
	return text
}

func isText(name string) bool { return slices.Contains([]string{".md", ".txt"}, path.Ext(name)) }

// both is the blob of a text that two workers changed.
func (s *Session) both(ctx context.Context, given, there, name string) (string, error) {
	return s.blob(ctx, union(s.file(ctx, given, name), s.file(ctx, there, name), s.file(ctx, s.folder, name)))
}

// blob is the blob of a text.
func (s *Session) blob(ctx context.Context, text string) (string, error) {
	blob, err := s.clone.git.call(ctx, call{args: []string{"hash-object", "-w", "--stdin"}, stdin: text})
	return strings.TrimSpace(blob), err
}

// union is one of two versions of a text with the lines that the other one only appended. Where both are rewritten, it is ours.
func union(base, theirs, ours string) string {
	if rest, only := strings.CutPrefix(ours, base); only {
		return appended(theirs, rest)
	}
	if rest, only := strings.CutPrefix(theirs, base); only {
		return appended(ours, rest)
	}
	return ours
}

// appended is a text with lines behind it, but those that it has already.
func appended(text, more string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	had := map[string]bool{}
	for line := range strings.Lines(text) {
		had[line] = true
	}
	for line := range strings.Lines(more) {
		if !had[line] || strings.TrimSpace(line) == "" {
			text += line
		}
	}
	return text
}
