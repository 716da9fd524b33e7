package git

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// configured are settings of people that change what git prints for them.
var configured = []string{
	"i18n.logOutputEncoding=UTF-16", "i18n.logOutputEncoding=ISO-8859-1", "i18n.commitEncoding=ISO-8859-1", "i18n.commitEncoding=UTF-16",
	"log.showSignature=true", "log.date=relative", "log.date=format:%s", "log.decorate=full", "log.mailmap=false", "log.follow=true",
	"log.abbrevCommit=true", "log.showRoot=false", "log.diffMerges=on", "log.graphColors=red", "log.initialDecorationSet=all", "log.excludeDecoration=*",
	"format.pretty=%H broken", "format.pretty=oneline", "format.notes=true", "notes.displayRef=*", "core.notesRef=refs/notes/other", "mailmap.file=/dev/null",
	"core.quotePath=true", "core.abbrev=40", "core.abbrev=no", "core.pager=false", "pager.log=false", "pager.show=false", "pager.diff=false", "pager.status=false",
	"core.fsmonitor=false-program", "core.untrackedCache=true", "core.whitespace=-all", "core.commentChar=%", "core.preloadIndex=false",
	"color.ui=always", "color.diff=always", "color.status=always", "color.branch=always", "column.ui=always", "column.status=always",
	"diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.external=false", "diff.renames=copies", "diff.renames=false", "diff.renameLimit=1",
	"diff.context=9", "diff.interHunkContext=9", "diff.algorithm=patience", "diff.colorMoved=zebra", "diff.wordRegex=.", "diff.orderFile=order",
	"diff.relative=true", "diff.submodule=log", "diff.ignoreSubmodules=none", "diff.statGraphWidth=3", "diff.statNameWidth=9", "diff.dirstat=lines",
	"diff.indentHeuristic=false", "diff.suppressBlankEmpty=true", "diff.wsErrorHighlight=all", "diff.srcPrefix=x/", "diff.dstPrefix=y/", "diff.trustExitCode=true",
	"diff.text.textconv=false", "diff.text.command=false", "diff.default.binary=true",
	"status.short=true", "status.branch=false", "status.showUntrackedFiles=no", "status.relativePaths=true", "status.renames=copies",
	"status.showStash=true", "status.submoduleSummary=true", "status.aheadBehind=true", "status.displayCommentPrefix=true",
	"submodule.recurse=true", "grep.lineNumber=true", "advice.statusHints=false", "push.default=nothing", "fetch.prune=true",
	"alias.log=!false", "alias.diff=!false", "core.warnAmbiguousRefs=false", "rebase.autoStash=true", "index.version=4", "core.logAllRefUpdates=false",
	"feature.manyFiles=true", "trace2.eventTarget=2", "blame.date=iso", "interactive.diffFilter=false", "tag.sort=-version:refname", "branch.sort=-committerdate",
}

func TestReadsAreTheSameWhateverIsConfigured(t *testing.T) {
	t.Parallel()
	s := readSandbox(t)
	want, plain := s.reads(t), s.read(".git/config")
	if strings.Contains(want, "error:") {
		t.Fatalf("without a setting:\n%s", want)
	}
	differs := func(settings ...string) string {
		defer s.write(".git/config", plain)
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, "=")
			s.git("config", key, value)
		}
		return firstOther(want, s.reads(t))
	}
	for _, group := range compatible(configured) {
		if differs(group...) == "" { // all at once, as each call of git takes its time
			continue
		}
		for _, setting := range group {
			if other := differs(setting); other != "" {
				t.Errorf("%s:\n%s", setting, other)
			}
		}
		if !t.Failed() {
			t.Errorf("only together: %q:\n%s", group, differs(group...))
		}
	}
}

// compatible puts settings into groups in which each key stands once.
func compatible(settings []string) [][]string {
	var groups [][]string
	times := map[string]int{}
	for _, setting := range settings {
		key, _, _ := strings.Cut(setting, "=")
		if times[key] == len(groups) {
			groups = append(groups, nil)
		}
		groups[times[key]] = append(groups[times[key]], setting)
		times[key]++
	}
	return groups
}

// readSandbox has what settings could print in another way: a signed commit, names and messages beyond ASCII, a merge, a
// rename, an odd name, notes, and a tree with changes of each kind.
func readSandbox(t *testing.T) *sandbox {
	t.Helper()
	s := newSandbox(t)
	s.write("../sign", "#!/bin/sh\ncase \"$*\" in *--verify*) echo '[GNUPG:] GOODSIG A B'; echo 'gpg: Good' >&2;;\n"+
		"*) cat >/dev/null; echo '[GNUPG:] SIG_CREATED x' >&2; echo '-----BEGIN PGP SIGNATURE-----'; echo '-----END PGP SIGNATURE-----';; esac\n")
	s.chmod("../sign", 0o755)
	s.git("config", "gpg.program", s.path("../sign"))
	s.write(".gitignore", "*.log\n")
	s.write(".gitattributes", "*.txt diff=text\n")
	s.write("order", "b.txt\na.txt\n")
	s.write("naïve …·7.txt", strings.Repeat("line\n\n", 30))
	s.git("add", "-A")
	s.git("commit", "-q", "-S", "-m", "Größe ·7", "-m", "Grüße\n\nAutopilot-Key: k/7")
	s.git("switch", "-q", "-c", "side", "HEAD~1")
	s.write("side.txt", "side\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "Side")
	s.git("switch", "-q", "main")
	s.git("merge", "-q", "--no-ff", "-m", "Merge …", "side")
	s.git("notes", "add", "-m", "a note")
	s.git("tag", "side", "side")
	s.git("mv", "b.txt", "moved.txt")
	s.write("naïve …·7.txt", strings.Repeat("line\n\n", 15)+"other\n"+strings.Repeat("line\n\n", 15))
	s.write("copy.txt", "one\n")
	s.write("a.txt", "one\r\n")
	s.write("x.log", "ignored\n")
	s.remove("dir/c.txt")
	return s
}

// reads is all that is read of the repository, as text.
func (s *sandbox) reads(t *testing.T) string {
	t.Helper()
	r, err := Open(t.Context(), s.dir)
	if err != nil {
		return "error: " + err.Error()
	}
	ctx, list := t.Context(), []string{}
	tell := func(what string, value any, err error) {
		if err != nil {
			err = errors.Join(errors.New("error:"), err)
		}
		list = append(list, fmt.Sprintf("%s: %q %v", what, fmt.Sprint(value), err))
	}
	for _, commit := range []string{"HEAD", "HEAD~1"} {
		d, err := r.History.Describe(ctx, commit)
		tell("describe", d, err)
		changes, err := r.Tree.Changes(ctx, commit)
		tell("changes", words(changes), err)
		now, err := r.Tree.Status(ctx)
		tell("status", words(now.Dirt), err)
		byDiff, err := r.Tree.changesByDiff(ctx, commit, now)
		tell("changes by diff", words(byDiff), err)
		text, _, err := r.Tree.Diff(ctx, commit, "", 0)
		tell("diff", text, err)
		stat, err := r.Tree.DiffStat(ctx, commit+"~1", commit)
		tell("stat", stat, err)
		differing, err := r.History.Differing(ctx, commit+"~1", commit)
		tell("differing", differing, err)
	}
	log, err := r.History.Log(ctx, 9)
	tell("log", log, err)
	between, err := r.History.Between(ctx, "HEAD~2", "HEAD")
	tell("between", between, err)
	key, found, err := r.History.FindKey(ctx, "HEAD~2", "k/7")
	tell("key", fmt.Sprint(key, found), err)
	now, err := r.Tree.Status(ctx)
	tell("dirt", words(now.Dirt), err)
	tell("ignored", now.Ignored, err)
	hash, err := r.Tree.Hash(ctx)
	tell("tree", hash, err)
	files, err := r.Tree.Files(ctx)
	slices.Sort(files)
	tell("files", files, err)
	refs, err := r.Refs.List(ctx, "refs")
	tell("refs", fmt.Sprint(refs), err)
	where, err := r.Position(ctx)
	tell("position", where, err)
	base, err := r.History.MergeBase(ctx, "main", "side")
	tell("base", base, err)
	branches, err := r.Refs.Branches(ctx, "si")
	tell("branches", branches, err)
	branch, err := r.Refs.DefaultBranch(ctx)
	tell("default branch", branch, err)
	return strings.Join(list, "\n")
}

// firstOther is the first line that two texts do not have in common, as each has it; "" where they are the same.
func firstOther(want, got string) string {
	if want == got {
		return ""
	}
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(lines)) {
		if wanted[i] != lines[i] {
			return fmt.Sprintf("got  %.600s\nwant %.600s", lines[i], wanted[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(lines), len(wanted))
}
