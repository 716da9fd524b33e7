package refs

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git/gitdir"
	"autopilot/autopilot/plainfile"
)

// refLogs are the logs of refs and of HEAD. Git writes what is done in a working tree into the log of that tree's own HEAD. That
// tells the commits that somebody made in another tree, and the branches that were begun there, from the deeds of the guarded
// dispatch, also when no tree has the branch checked out any more.
type refLogs struct {
	own, common string // the git folders of the working tree and of all
	exists      func(ctx context.Context, commit string) bool
}

func (r Guards) logs() refLogs {
	return refLogs{own: r.repo.GitDir(), common: r.repo.CommonDir(), exists: r.repo.History.Exists}
}

// of is the file of a ref's log.
func (r refLogs) of(ref string) string {
	return filepath.Join(r.common, "logs", filepath.FromSlash(ref))
}

// headLogs tells how long the HEAD logs of the repository's other working trees are, in bytes, by their paths in the
// common git folder. A tree without a log is left out.
func (r refLogs) headLogs() (map[string]int, error) {
	linked, err := gitdir.Linked(r.common)
	if err != nil {
		return nil, err
	}
	trees := []string{"."}
	for _, dir := range linked {
		trees = append(trees, path.Join("worktrees", filepath.Base(dir)))
	}
	logs := map[string]int{}
	for _, tree := range trees {
		log := path.Join(tree, "logs/HEAD")
		info, err := os.Stat(filepath.Join(r.common, log))
		if err == nil && !gitdir.SameFile(filepath.Join(r.common, tree), r.own) {
			logs[log] = int(info.Size())
		}
	}
	return logs, nil
}

// doneElsewhere lists what was added since Watch to the HEAD logs of the trees that were there. One that was shortened
// shows less than that, or nothing, but never what was in it before.
func (r refLogs) doneElsewhere(g Guard) []logLine {
	var done []logLine
	for name, length := range g.Logs {
		log, err := os.ReadFile(filepath.Join(r.common, filepath.FromSlash(name)))
		if err == nil && 0 <= length && length < len(log) {
			done = append(done, parseLog(log[length:])...)
		}
	}
	return done
}

// withoutOthers drops what was fetched, and branches that were moved or made in another working tree. Of one that was moved on by the dispatch,
// Before becomes what it was made there. One that was deleted has no log, and the guarded branch is nobody else's.
func (r refLogs) withoutOthers(ctx context.Context, g Guard, moved []Moved) []Moved {
	done := r.doneElsewhere(g)
	var kept []Moved
	for _, m := range r.withoutFetched(moved) {
		if strings.HasPrefix(m.Name, "refs/heads/") && m.Name != "refs/heads/"+g.Branch {
			if left := r.leftElsewhere(m, done); r.exists(ctx, left) { // a log written by hand may name anything
				m.Before = left
			}
		}
		if m.Before != m.After {
			kept = append(kept, m)
		}
	}
	return kept
}

// leftElsewhere follows a branch's own log from where it was at Watch for as long as another tree's HEAD log agrees.
func (r refLogs) leftElsewhere(m Moved, done []logLine) string {
	log, at := r.read(m.Name), cmp.Or(m.Before, strings.Repeat("0", len(m.After)))
	next := len(log) - 1
	for next >= 0 && log[next].old != at {
		next--
	}
	for ; next >= 0 && next < len(log) && log[next].old == at && log[next].doneIn(done, m.Name); next++ {
		at = log[next].new
	}
	return at
}

// read is a ref's log; nothing where it has none.
func (r refLogs) read(ref string) []logLine {
	data, _ := os.ReadFile(r.of(ref)) // most often there is none
	return parseLog(data)
}

// logLine is a line of the log of a ref or of HEAD: "old new who<TAB>what", who being name, <mail>, time and zone.
type logLine struct{ old, new, who, what string }

// parseLog reads a log; a line that is not whole becomes an empty one.
func parseLog(data []byte) []logLine {
	var log []logLine
	for line := range strings.Lines(string(data)) {
		var l logLine
		head, what, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if f := strings.SplitN(head, " ", 3); len(f) == 3 {
			l = logLine{old: f[0], new: f[1], who: f[2], what: what}
		}
		log = append(log, l)
	}
	return log
}

// doneIn tells whether a step of a branch shows in HEAD logs. A commit, merge or reset is the same line in both; a rebase
// and "switch -C" write one of their own there at the same moment. A new branch may have been checked out later.
func (step logLine) doneIn(done []logLine, ref string) bool {
	begin, end := "", "(finish): returning to "+ref
	created := strings.Trim(step.old, "0") == ""
	if created || strings.HasPrefix(step.what, "branch: Reset to ") {
		begin, end = "checkout: moving from ", " to "+strings.TrimPrefix(ref, "refs/heads/")
	}
	return slices.ContainsFunc(done, func(l logLine) bool {
		other := strings.HasPrefix(l.what, begin) && strings.HasSuffix(l.what, end)
		return l == step || other && l.new == step.new && (l.who == step.who || created)
	})
}

// withoutFetched drops remote-tracking refs whose log shows nothing but fetches since, and the tags that came along.
func (r refLogs) withoutFetched(moved []Moved) []Moved {
	var kept, tags []Moved
	fetched := false
	for _, m := range moved {
		switch {
		case strings.HasPrefix(m.Name, "refs/remotes/") && m.After != "" && r.onlyFetched(m):
			fetched = true
		case strings.HasPrefix(m.Name, "refs/tags/") && m.Before == "":
			tags = append(tags, m)
		default:
			kept = append(kept, m)
		}
	}
	if fetched {
		return kept
	}
	return append(kept, tags...)
}

// split tells refs that are to be put back from those that stay as they are. A remote-tracking branch says what the remote has,
// and tags have no log; of another branch its log has to show that it was moved. What somebody pushes
// of a branch that the dispatch did not touch is nobody's affair here.
func (r refLogs) split(g Guard, moved []Moved, now refTable) (back, left []Moved) {
	for _, m := range moved {
		name, head := strings.CutPrefix(m.Name, "refs/heads/")
		remote, tracks := strings.CutPrefix(m.Name, "refs/remotes/")
		_, remotes, _ := strings.Cut(remote, "/")
		switch {
		case tracks && slices.Contains([]string{elsewhere, m.After}, now["refs/heads/"+remotes]) && remotes != g.Branch && !hasMoved(moved, "refs/heads/"+remotes):
		case tracks, strings.HasPrefix(m.Name, "refs/tags/"), head && name != g.Branch && m.After != "" && !r.isLogged(m):
			left = append(left, m)
		default:
			back = append(back, m)
		}
	}
	return back, left
}

func hasMoved(moved []Moved, name string) bool {
	return slices.ContainsFunc(moved, func(m Moved) bool { return m.Name == name })
}

// isLogged says whether the log of a branch shows how it came where it is.
func (r refLogs) isLogged(m Moved) bool {
	log := r.read(m.Name)
	return len(log) > 0 && log[len(log)-1].new == m.After
}

// onlyFetched reads the ref's log backwards to where it stood before.
func (r refLogs) onlyFetched(m Moved) bool {
	for _, l := range slices.Backward(r.read(m.Name)) {
		if !strings.HasPrefix(l.what, "fetch") && !strings.HasPrefix(l.what, "pull") {
			return false
		}
		if l.old == m.Before || m.Before == "" && strings.Trim(l.old, "0") == "" {
			return true
		}
	}
	return false
}

// LeftAt is the commit that a branch ended in when HEAD of the working tree last moved from it to another one; "" where the
// log of HEAD doesn't tell.
func (r Guards) LeftAt(branch string) string {
	log, _ := plainfile.Read(filepath.Join(r.repo.GitDir(), "logs", "HEAD")) // there may be none
	for _, line := range slices.Backward(parseLog(log)) {
		if strings.HasPrefix(line.what, "checkout: moving from "+branch+" to ") {
			return line.old
		}
	}
	return ""
}
