package tasks

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/project"
	"autopilot/autopilot/tasks"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/storage"
	"autopilot/sessions/taskfile"
)

type tasksInitOptions struct {
	host *console.Host

	yes, concurrent bool
}

func newTasksInit(h *console.Host) *cobra.Command {
	o := &tasksInitOptions{host: h}
	c := &cobra.Command{
		Use: "init", Short: "Create a task file in this repository",
		Long: "Creates harness-tasks.json, its log harness-progress.txt, and the marker .harness-active for hooks. Offers to add lines to\n" +
			".gitignore, and to write harness-init.sh, which prepares the working tree at the start of each tasks run. It installs the\n" +
			"project's dependencies, or is a template for you to fill in (runs of a spec have .harness/init.sh). Existing files are\n" +
			"never overwritten.",
		Example: "  autopilot tasks init\n  autopilot tasks init --yes", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTasksInit(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.yes, "yes", false, "accept every offer without asking")
	c.Flags().BoolVar(&o.concurrent, "concurrent", false, "let several workers run tasks at the same time, each in a separate worktree")
	return c
}

func runTasksInit(ctx context.Context, o *tasksInitOptions) error {
	p, repo, err := tasksHere(ctx, o.host)
	if err != nil {
		return err
	}
	mode := taskfile.Exclusive
	if o.concurrent {
		mode = taskfile.Concurrent
	}
	err = p.begin(mode)
	if _, missing := os.Lstat(p.store.Path()); missing == nil && errors.Is(err, fs.ErrExist) {
		if err := storage.Plain(o.host.Storage(), p.store.Path()); err != nil {
			return err
		}
		err = errors.Join(o.host.Say("%s is there already, and stays as it is.", taskfile.FileName), p.store.Activate())
	}
	if err != nil {
		return err
	}
	in := bufio.NewScanner(o.host.In)
	if err := errors.Join(o.offerIgnore(p.root, in), o.offerInit(ctx, repo, p.root, in)); err != nil {
		return err
	}
	return o.host.Say("Next: autopilot tasks add \"What is to be done\" --validation \"go test ./...\"")
}

// tasksHere is the place of a new task file: the repository, else this folder.
func tasksHere(ctx context.Context, h *console.Host) (*taskPlace, *git.Repo, error) {
	repo, err := git.Find(ctx, h.Dir)
	if err != nil {
		p, err := trustedTasksAt(ctx, h, h.Dir)
		return p, nil, err
	}
	p, err := trustedTasksAt(ctx, h, repo.Root())
	return p, repo, err
}

// begin makes an empty task file, its log and the marker.
func (p *taskPlace) begin(mode string) error {
	now := p.host.Now().UTC()
	err := p.store.Create(taskfile.TaskList{Version: taskfile.Version, Created: &now, Tasks: []taskfile.ListedTask{}, Config: taskfile.ListConfig{
		ConcurrencyMode: mode, MaxTasksPerSession: taskfile.DefaultTasksPerSession, MaxSessions: taskfile.DefaultSessions,
	}})
	if errors.Is(err, fs.ErrExist) {
		return &halt.UsageError{Message: err.Error(), Err: err}
	}
	if err == nil {
		err = p.store.Log(taskfile.ProgressLine{Session: 1, Type: "INIT", Message: "Harness initialized for project " + p.root})
	}
	if err != nil {
		return err
	}
	return errors.Join(p.host.Say("Wrote %s and %s.", taskfile.FileName, taskfile.ProgressName), p.store.Activate())
}

// ignored are the lines that .gitignore is offered.
var ignored = []string{"/harness-tasks.json*", "/harness-progress.txt", "/.harness-*", "/.harness/"}

// offerIgnore adds the lines that .gitignore lacks, where a person, or --yes, says so.
func (o *tasksInitOptions) offerIgnore(root string, in *bufio.Scanner) error {
	path := filepath.Join(root, ".gitignore")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lack []string
	for _, line := range ignored {
		if !strings.Contains("\n"+string(text)+"\n", "\n"+line+"\n") {
			lack = append(lack, line)
		}
	}
	if len(lack) == 0 {
		return nil
	}
	if !o.wants(fmt.Sprintf("Add %s to .gitignore?", strings.Join(lack, ", ")), in) {
		return nil
	}
	if len(text) > 0 && !strings.HasSuffix(string(text), "\n") {
		text = append(text, '\n')
	}
	if err := os.WriteFile(path, append(text, []byte(strings.Join(lack, "\n")+"\n")...), 0o644); err != nil {
		return err
	}
	return o.host.Say("Added to .gitignore: %s. Commit it before the first run: git add .gitignore && git commit -m \"Ignore the task file\"", strings.Join(lack, ", "))
}

// offerInit writes harness-init.sh where a person, or --yes, says so: one that installs what the project's manifests name,
// or where nothing is known a template.
func (o *tasksInitOptions) offerInit(ctx context.Context, repo *git.Repo, root string, in *bufio.Scanner) error {
	path := filepath.Join(root, tasks.InitScript)
	if _, err := os.Lstat(path); err == nil || repo == nil {
		return nil // what is there stays
	}
	paths, err := repo.Tree.Files(ctx)
	if err != nil {
		return err
	}
	found, _ := project.Scan(root, paths) // a manifest that cannot be read is no matter here
	does, text := "installs dependencies by "+strings.Join(found.Installers(), ", "), project.InitScript(found)
	if text == "" {
		does, text = "is for you to fill: it makes the working tree ready", initTemplate
	}
	question := fmt.Sprintf("Write %s, which %s at the start of each run?", tasks.InitScript, does)
	if !o.wants(question, in) {
		return nil
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		return err
	}
	b := &app.Backends{Host: o.host, Root: root, Cfg: &config.Config{}}
	app.TrustWritten(ctx, b, repo, tasks.InitScript)
	return o.host.Say("Wrote %s. Look at it, and commit it.", tasks.InitScript)
}

// initTemplate is the script of a project of which nothing is known. As it stands it succeeds, and does nothing.
const initTemplate = `#!/bin/sh
# Makes the working tree ready for the tasks. autopilot tasks run runs it at its start, in the root of the working tree,
# and once more when it fails or the program of a validation is missing; failing twice ends the run. It runs again and
# again, so it should be quick where there is nothing to do. It is yours to change.
#
# What belongs here:
#   install dependencies        pip install -q -r requirements.txt
#   make what is not committed  make generate
#   start what the tests need   docker compose up -d --wait
#   see that it works           make smoke-test
# What does not: changes to committed files, questions, programs that do not end.
set -eu
`

// wants asks; where nobody can be asked, the answer is no.
func (o *tasksInitOptions) wants(question string, in *bufio.Scanner) bool {
	if o.yes {
		return true
	}
	if !o.host.Terminal {
		return false
	}
	fmt.Fprint(o.host.Err, console.Wrapped(question+" (yes / no) [no]: ", o.host.Columns(), 0))
	return in.Scan() && strings.HasPrefix(strings.ToLower(strings.TrimSpace(in.Text())), "y")
}
