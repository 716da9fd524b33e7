package git

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// findFiles looks for the repository of a folder in git's own files, as many commands ask git for no more than that, and
// to start it takes longer than all else that they do. It answers only for what is plain: a folder .git of this user's,
// without a setting that could lead elsewhere. For all else (a linked working tree, a submodule, a bare repository, another
// user's, SHA-256, a format with extensions) git is to be asked, as it is where there is none: it says why.
func (r *Repo) findFiles() bool {
	dir, err := filepath.EvalSymlinks(r.root)
	if err != nil || !filepath.IsAbs(dir) || strings.Contains(dir, "\n") || toldWhere() {
		return false
	}
	for from := dir; ; dir = filepath.Dir(dir) {
		if isGitDir(dir) {
			return false // it is a bare repository, or within a folder .git
		}
		gitDir := filepath.Join(dir, ".git")
		if _, err := os.Lstat(gitDir); err == nil {
			if !oneUsers(from, dir, gitDir) || !isGitDir(gitDir) || !isPlain(gitDir) {
				return false
			}
			r.root, r.gitDir, r.commonDir, r.found = dir, gitDir, gitDir, true
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// toldWhere says whether a variable tells git where to look, or how.
func toldWhere() bool {
	for _, name := range []string{"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG"} {
		if _, told := os.LookupEnv(name); told {
			return true
		}
	}
	return false
}

// isGitDir says whether git would take a folder for one of its own.
func isGitDir(dir string) bool {
	head, err := readPlain(filepath.Join(dir, "HEAD"))
	if err != nil || !isHead(strings.TrimSpace(string(head))) {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// isHead says whether a text is one that HEAD holds: a ref, or an object.
func isHead(text string) bool {
	if ref, is := strings.CutPrefix(text, "ref:"); is {
		return strings.HasPrefix(strings.TrimSpace(ref), "refs/")
	}
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64)
}

// isPlain says whether a git folder is its own common folder, and its configuration surely says nothing of where the
// working tree is or of another format.
func isPlain(gitDir string) bool {
	if _, err := os.Lstat(filepath.Join(gitDir, "commondir")); err == nil {
		return false
	}
	if head, err := os.Lstat(filepath.Join(gitDir, "HEAD")); err != nil || !head.Mode().IsRegular() {
		return false
	}
	text, err := readPlain(filepath.Join(gitDir, "config"))
	if err != nil {
		return false
	}
	version, section := "", ""
	for raw := range bytes.Lines(text) {
		line := strings.TrimSpace(string(raw))
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if name, is := sectionOf(line); is {
			section = name
			continue
		}
		key, value, is := settingOf(line)
		if !is || slices.Contains([]string{"", "extensions", "include", "includeif"}, section) {
			return false
		}
		switch section + "." + key {
		case "core.repositoryformatversion":
			version = value
		case "core.worktree":
			return false
		case "core.bare":
			if value != "false" {
				return false
			}
		}
	}
	return version == "0"
}

// sectionOf is the section that a line of a configuration begins, where it can be read in one way only.
func sectionOf(line string) (string, bool) {
	inner, ends := strings.CutSuffix(line, "]")
	if !ends || !strings.HasPrefix(inner, "[") {
		return "", false
	}
	name, part, parted := strings.Cut(inner[1:], " ")
	if parted {
		if len(part) < 2 || part[0] != '"' || part[len(part)-1] != '"' || strings.ContainsAny(part[1:len(part)-1], "\"\\") {
			return "", false
		}
	}
	return strings.ToLower(name), isName(name, ".-")
}

// settingOf is the key and the value that a line sets, where it can be read in one way only.
func settingOf(line string) (key, value string, is bool) {
	key, value, _ = strings.Cut(line, "=")
	key = strings.TrimSpace(key)
	return strings.ToLower(key), strings.TrimSpace(value), isName(key, "-") && !strings.ContainsAny(value, "\"\\")
}

// isName says whether a text has nothing but letters, digits and some signs.
func isName(text, signs string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(signs, c)
	}) < 0
}
