package git

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// headFiles reads branch and commit from git's own files, as a run asks for them many times for each task. It answers
// only for what is plain: a detached HEAD, or a branch with a commit, in a loose file or packed. For all else (no commit
// yet, a chain of symbolic refs, another store of refs, a folder that is no working tree any more) git is to be asked.
func (r *Repo) headFiles() (branch, head string, found bool) {
	if r.gitDir == r.commonDir && !sameDir(filepath.Join(r.root, ".git"), r.gitDir) || !r.Stands() {
		return "", "", false
	}
	text, err := readPlain(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return "", "", false
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
	if !symbolic {
		return "", ref, r.isID(ref)
	}
	if branch = branchName(ref); branch == "" || strings.Contains(branch, "..") {
		return "", "", false
	}
	head = r.looseOrPacked(ref)
	return branch, head, r.isID(head)
}

// looseOrPacked looks into the ref's file first, as git does: packing writes the list before it removes the file.
func (r *Repo) looseOrPacked(ref string) string {
	text, err := readPlain(filepath.Join(r.commonDir, filepath.FromSlash(ref)))
	if err == nil {
		return strings.TrimSpace(string(text))
	}
	packed, err := readPlain(filepath.Join(r.commonDir, "packed-refs"))
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(packed) {
		if id, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref {
			return id
		}
	}
	return ""
}

// isID tells whether a text is a whole object id of this repository.
func (r *Repo) isID(text string) bool {
	digits := 40
	if r.longIDs {
		digits = 64
	}
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == digits && strings.ToLower(text) == text
}
