package git

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// perTree are the refs that each working tree has for itself, in its own git folder.
var perTree = []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"}

// refFiles reads all refs from git's own files, as they are compared around each dispatch and each commit. Like headFiles it
// answers only for what is plain: ids, and symbolic refs that lead to one of them. For all else git is to be asked.
func (r *Repo) refFiles() (refTable, bool) {
	if _, err := os.Lstat(filepath.Join(r.commonDir, "reftable")); err == nil || !r.Stands() {
		return nil, false
	}
	table := refTable{} // loose refs first, as git does: packing writes the list before it removes the files
	if !r.looseRefs(r.commonDir, table, func(name string) bool { return r.gitDir == r.commonDir || !isPerTree(name) }) ||
		r.gitDir != r.commonDir && !r.looseRefs(r.gitDir, table, isPerTree) || !r.packedRefs(table) {
		return nil, false
	}
	for _, value := range table {
		if target, symbolic := strings.CutPrefix(value, "ref:"); symbolic && !r.isID(table[target]) {
			return nil, false
		}
	}
	return table, true
}

func isPerTree(name string) bool {
	return slices.ContainsFunc(perTree, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// looseRefs reads those refs of a git folder that have a file each; false: one of them is not plain.
func (r *Repo) looseRefs(dir string, table refTable, wanted func(name string) bool) bool {
	err := filepath.WalkDir(filepath.Join(dir, "refs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if name = filepath.ToSlash(name); err != nil || !wanted(name) {
			return err
		}
		if !d.Type().IsRegular() {
			return fs.ErrInvalid
		}
		text, err := readPlain(file)
		if err != nil {
			return err
		}
		value := strings.TrimSpace(string(text))
		if target, symbolic := strings.CutPrefix(value, "ref: "); symbolic {
			value = "ref:" + strings.TrimSpace(target)
		} else if !r.isID(value) {
			return fs.ErrInvalid
		}
		table[name] = value
		return plainName(name)
	})
	return err == nil
}

// packedRefs adds the refs of the packed list that have no file of their own.
func (r *Repo) packedRefs(table refTable) bool {
	packed, err := readPlain(filepath.Join(r.commonDir, "packed-refs"))
	if err != nil {
		return os.IsNotExist(err)
	}
	for line := range bytes.Lines(packed) {
		id, name, found := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if !found || id == "#" || strings.HasPrefix(id, "^") {
			continue
		}
		if !r.isID(id) || plainName(name) != nil {
			return false
		}
		if _, loose := table[name]; !loose && (r.gitDir == r.commonDir || !isPerTree(name)) {
			table[name] = id
		}
	}
	return true
}

// plainName fails for a name that git would pass over, or print in another way.
func plainName(name string) error {
	strange := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`~^:?*[\`, c) }
	if strings.ContainsFunc(name, strange) || strings.Contains(name, "..") || strings.Contains(name, "/.") ||
		strings.Contains(name, "@{") || strings.HasSuffix(name, ".") || !strings.HasPrefix(name, "refs/") {
		return fs.ErrInvalid
	}
	return nil
}

// guardedRefs is refs from git's own files.
func (r *Repo) guardedRefs() (refTable, bool) {
	table, plain := r.refFiles()
	if !plain {
		return nil, false
	}
	others, plain := r.branchesElsewhere()
	if !plain {
		return nil, false
	}
	for name := range table {
		if strings.HasPrefix(name, ownRefs) {
			delete(table, name)
		} else if slices.Contains(others, name) {
			table[name] = elsewhere
		}
	}
	return table, true
}

// branchesElsewhere lists the refs that HEAD leads to in the other working trees. Where the first of them may be a bare
// repository, git is to be asked.
func (r *Repo) branchesElsewhere() (names []string, plain bool) {
	var dirs []string
	if r.gitDir != r.commonDir {
		if filepath.Base(r.commonDir) != ".git" {
			return nil, false
		}
		dirs = append(dirs, r.commonDir)
	}
	linked, err := r.linked()
	if err != nil {
		return nil, false
	}
	for _, dir := range linked {
		if _, err := os.Stat(filepath.Join(dir, "gitdir")); err == nil && !sameDir(dir, r.gitDir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		text, err := readPlain(filepath.Join(dir, "HEAD"))
		if err != nil {
			return nil, false
		}
		if name, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "); symbolic {
			names = append(names, name)
		}
	}
	return names, true
}

// below lists the refs below a prefix without a slash at its end, or of exactly that name, by name.
func (t refTable) below(prefix string) []Ref {
	var refs []Ref
	for _, name := range t.names() {
		if name != prefix && !strings.HasPrefix(name, prefix+"/") {
			continue
		}
		object := t[name]
		if target, symbolic := strings.CutPrefix(object, "ref:"); symbolic {
			object = t[target]
		}
		refs = append(refs, Ref{Name: name, Object: object})
	}
	return refs
}
