package toolbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"autopilot/personas"
)

// maxGit bounds a result of git_diff and git_show, in bytes.
const maxGit = 60_000

// git runs a reading git command in the tree. Nothing that the repository
// configures is executed by it: no pager, external diff, text conversion or
// file-system monitor.
func (b *Box) git(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "i18n.logOutputEncoding=UTF-8", "--no-optional-locks", "--no-pager"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = b.tree.Dir
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		if !personas.IsSecret(name, value) && (!strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "GIT_CONFIG")) {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	var errText strings.Builder
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git cannot do that: %s", FirstLine(errText.String()+err.Error()))
	}
	return string(out), nil
}

type diffArgs struct {
	Base string `json:"base"`
	Head string `json:"head"`
	Path string `json:"path"`
	Stat bool   `json:"stat"`
}

func (b *Box) gitDiff() Tool {
	return define("git_diff",
		"Diff base (HEAD) to head (the working tree, with new files).",
		schema("", "base:string", "head:string", "path:string", "stat:boolean"),
		func(ctx context.Context, a diffArgs) (string, error) {
			specs, err := pathspecs(a.Path)
			if err != nil {
				return "", err
			}
			args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "-M"}
			if a.Stat {
				args = append(args, "--stat=160")
			}
			revs, err := revisions(cmp.Or(a.Base, "HEAD"), a.Head)
			if err != nil {
				return "", err
			}
			out, err := b.git(ctx, append(append(args, revs...), specs...)...)
			if err != nil || a.Head != "" {
				return Capped(b.Mask, out, maxGit), err
			}
			untracked, err := b.git(ctx, append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, specs...)...)
			names := strings.FieldsFunc(untracked, func(r rune) bool { return r == 0 })
			return Capped(b.Mask, out, maxGit) + b.additions(names, maxGit-len(out), a.Stat), err
		})
}

type showArgs struct {
	Rev  string `json:"rev"`
	Path string `json:"path"`
}

func (b *Box) gitShow() Tool {
	return define("git_show",
		"Show a commit, or a file in it.",
		schema("rev", "rev:string", "path:string"),
		func(ctx context.Context, a showArgs) (string, error) {
			revs, err := revisions(a.Rev, "")
			if err != nil {
				return "", err
			}
			args := append([]string{"show", "--no-ext-diff", "--no-textconv", "--no-color", "--stat", "--patch"}, revs...)
			if a.Path != "" {
				clean, err := local(a.Path)
				if err != nil {
					return "", err
				}
				args = []string{"show", "--no-textconv", revs[0] + ":" + clean}
			}
			out, err := b.git(ctx, args...)
			return Capped(b.Mask, out, maxGit), err
		})
}

// revisions refuses what git would take for an option or for a path.
func revisions(names ...string) ([]string, error) {
	var out []string
	for i, name := range names {
		switch {
		case name == "" && i == 0:
			return nil, errors.New("rev is missing")
		case name == "":
			continue
		case strings.HasPrefix(name, "-") || strings.ContainsAny(name, ": \t\n\x00"):
			return nil, fmt.Errorf("%q is no name of a commit; give a path as path", name)
		}
		out = append(out, name)
	}
	return out, nil
}

// pathspecs limits a command to a path, taken literally, and leaves out the
// program's own files.
func pathspecs(name string) ([]string, error) {
	spec := ":(top)"
	if name != "" {
		clean, err := local(name)
		if err != nil {
			return nil, err
		}
		spec = ":(top,literal)" + clean
	}
	return []string{"--", spec, ":(top,exclude).harness"}, nil
}
