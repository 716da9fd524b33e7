// Package spec is the commands about a spec before it runs: spec draft has the planner write one, and lint shows what is read
// of a spec or a plan, and what is wrong with it.
//
// It runs nothing by itself: after a person's yes a draft goes to the Run that New is given.
//
//	root.AddCommand(spec.New(host, run), spec.NewLint(host))
package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/specdraft"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/sessions/learnings"
)

// specText is the page of `autopilot help spec`.
const specText = `A spec is a Markdown file with a section "Implementation Order". Its phases are headings in it:

    ## Implementation Order

    ### Phase 1: Name

    <!-- complexity: low -->

    What the phase does, in prose, lists, code.

    ### Phase 2: Name

Phases may also be written as labelled list items, bold paragraphs, a plain ordered list or a table. The complexity is low,
medium (the default) or high; a high-complexity phase waits for a plan from you. The final review checks the whole change
against the list under a heading "Success Criteria". To see how autopilot reads your spec:

    autopilot lint docs/spec.md`

// Run runs a spec with the flags of its draft.
type Run func(ctx context.Context, flags *app.RunFlags, spec string) error

type specDraftOptions struct {
	app.RunFlags // of the draft, and of the run that may follow
	run          Run

	file, name string
}

// New is the command spec.
func New(h *console.Host, run Run) *cobra.Command {
	c := &cobra.Command{
		Use: "spec", Short: "Draft a spec (spec draft TEXT), and see how a spec is written", Long: specText,
		Example: "  autopilot spec draft \"Implement login with e-mail and OAuth\"",
	}
	c.AddCommand(newSpecDraft(h, run))
	return c
}

func newSpecDraft(h *console.Host, run Run) *cobra.Command {
	o := &specDraftOptions{RunFlags: app.RunFlags{Host: h}, run: run}
	c := &cobra.Command{
		Use: "draft TEXT", Short: "Have the planner write a spec, for you to review before it runs",
		Long: "Scans the project and has the planner write " + specdraft.Folder + "/<name>.md, with phases under Implementation Order. If the\n" +
			"planner crashes, or writes something else, it runs again: three times at most. Any other change that it makes is undone.\n\n" +
			"Then autopilot shows the phases and, at a terminal, asks whether to run them. Without a terminal it prints the command\n" +
			"that runs them. Exit code 0: the draft is ready, 2: it has no phases that autopilot can read; fix the file by hand.\n" +
			"To continue a draft that was stopped or reached a limit, run the same command again.",
		Example: "  autopilot spec draft \"Implement login with e-mail and OAuth\"\n" +
			"  autopilot spec draft --file wish.txt --name login     a longer text",
		RunE: func(c *cobra.Command, args []string) error {
			return RunDraft(c.Context(), o, strings.Join(args, " "))
		},
	}
	f := c.Flags()
	f.StringVar(&o.file, "file", "", "read the text from `FILE`")
	f.StringVar(&o.name, "name", "", "name the spec's file `NAME` (default: made from the text)")
	o.BackendFlags(f, "for the planner, and for all agents of the run")
	f.BoolVar(&o.Verbose, "verbose", false, "also print what the planner says and does")
	return c
}

// RunDraft drafts the spec, shows how it reads, and runs it where a person says so.
func RunDraft(ctx context.Context, o *specDraftOptions, text string) error {
	wish, err := o.wish(text)
	if err != nil {
		return err
	}
	repo, err := app.UserRepoAt(ctx, o.Host.Dir, git.Open)
	if err != nil {
		return err
	}
	drafted, err := o.draft(ctx, repo, wish)
	if _, ok := errors.AsType[*specdraft.PersonError](err); ok {
		return &console.CodedError{Code: 3, Err: err}
	}
	if err != nil {
		return err
	}
	path := o.fromHere(repo, drafted.Path)
	newLinted(drafted.Spec, drafted.Problems).show(o.Host, path)
	if drafted.Spec == nil {
		return &console.CodedError{Code: 2, Err: fmt.Errorf("%s is no spec yet, and stays as it is. Fix it, then look again: autopilot lint %s", path, shell.QuotePath(path))}
	}
	if err := o.Host.Say("The draft is in %s. Change it as you like, then run it: autopilot %s", path, shell.QuotePath(path)); err != nil {
		return err
	}
	return o.offer(ctx, filepath.Join(repo.Root(), filepath.FromSlash(drafted.Path)), path)
}

// maxWish is how long a wish may be, in bytes: it stands whole in the prompt.
const maxWish = 100_000

// wish is what is wanted: the arguments, or a file.
func (o *specDraftOptions) wish(text string) (string, error) {
	if o.file != "" && text != "" {
		return "", console.UsageError("a text and --file exclude each other: choose one")
	}
	if o.file != "" {
		data, err := plainfile.Read(o.Host.Path(o.file))
		if err != nil {
			return "", console.UsageError("cannot read the text: %v. Name an existing file", err)
		}
		text = string(data)
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "" && o.file != "":
		return "", console.UsageError("%s is empty: write into it what you want", o.file)
	case text == "":
		return "", console.UsageError(`say what you want: autopilot spec draft "Implement login with e-mail and OAuth"`)
	case len(text) > maxWish:
		return "", console.UsageError("the text has %d bytes, and at most %d are taken. Name the files that it is about instead of holding them", len(text), maxWish)
	case strings.ContainsRune(text, 0):
		return "", console.UsageError("%s is no text: name a text file", cmp.Or(o.file, "that"))
	}
	return text, nil
}

// draft has the planner write, while no run works in the working tree.
func (o *specDraftOptions) draft(ctx context.Context, repo *git.Repo, wish string) (*specdraft.Drafted, error) {
	cfg, read, err := app.LoadConfig(o.Host, repo.Root(), o.ConfigFile, nil)
	if err != nil {
		return nil, err
	}
	lock, err := app.LockTree(repo, o.Host)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := repo.TakeUp(ctx); err != nil {
		return nil, err
	}
	defer repo.Leave()
	repo.Settings.Keep(cfg.Git.Keep)
	harness := filepath.Join(repo.Root(), ".harness")
	set, err := app.Personas(harness)
	if err != nil {
		return nil, err
	}
	learned, err := learnings.List(harness)
	if err != nil {
		return nil, err
	}
	report := console.NewPlainReport(o.Host, false, o.Verbose, nil)
	made := o.Backends(repo.Root(), cfg, report)
	agreed, err := o.AskTrust(ctx, made, repo, nil)
	if err != nil {
		return nil, err
	}
	for _, line := range append(read.Warnings, agreed...) {
		report.Report(journal.Note{Event: "info", Text: line})
	}
	if err := repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, err
	}
	if err := app.EndLeft(lock.File(), report); err != nil {
		return nil, err
	}
	d := &specdraft.Draft{
		Repo: repo, Persona: set.For(personas.Planner, personas.SpecDraft), Report: report, NewID: app.NewID, LockFile: lock.File(), Settings: app.Settings(cfg), Mask: app.MaskOf(o.Host, cfg),
		Backends:  made,
		Learnings: learnings.Brief(learnings.Fit(learned, cfg.Learnings.Budget)), Wish: wish, Name: o.name, KilledAt: process.EndedAt(lock.File()),
	}
	process.ForgetEnded(lock.File()) // a later kill has another time
	defer o.Host.Tick(ctx)()
	return d.Make(ctx)
}

// offer asks a person at a terminal whether to run the draft now. Nobody there is no yes.
func (o *specDraftOptions) offer(ctx context.Context, file, path string) error {
	yes, err := o.Human().Confirm(ctx, fmt.Sprintf("Run %s now? (yes / no) ", path))
	if s, was := console.SignalOf(ctx); was {
		return &console.CodedError{Code: console.SignalCode(s), Err: fmt.Errorf("stopped at the question; the draft stays in %s", path)}
	}
	if err != nil || !yes {
		return err
	}
	return o.run(ctx, &o.RunFlags, file)
}

// fromHere is a path of the repository as somebody types it who stands where the program does.
func (o *specDraftOptions) fromHere(repo *git.Repo, path string) string {
	here, err := filepath.EvalSymlinks(o.Host.Dir)
	if err != nil {
		return path
	}
	return plainfile.Rel(here, filepath.Join(repo.Root(), filepath.FromSlash(path)))
}
