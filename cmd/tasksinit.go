package cmd

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
	"autopilot/autopilot/machine"
	"autopilot/autopilot/profile"
	"autopilot/autopilot/tasks"
	"autopilot/sessions"
	"autopilot/sessions/tasklist"
)

type tasksInitOptions struct {
	host *Host

	yes, concurrent bool
}

func newTasksInit(h *Host) *cobra.Command {
	o := &tasksInitOptions{host: h}
	c := &cobra.Command{
		Use: "init", Short: "Begin a task file in this repository",
		Long: "Makes harness-tasks.json, its log harness-progress.txt, and the marker that tells hooks that there is work. Offers lines\n" +
			"for .gitignore, and a harness-init.sh that installs dependencies at the start of each run. What is there stays.",
		Example: "  autopilot tasks init\n  autopilot tasks init --yes", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTasksInit(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.yes, "yes", false, "write everything that is offered, without asking")
	c.Flags().BoolVar(&o.concurrent, "concurrent", false, "let several workers have tasks at the same time, each in a working tree of its own")
	return c
}

func runTasksInit(ctx context.Context, o *tasksInitOptions) error {
	root := o.host.Dir
	repo, err := git.Find(ctx, root)
	if err == nil {
		root = repo.Root()
	}
	p := tasksAt(o.host, root)
	now := o.host.Now().UTC()
	list := machine.TaskList{Version: 2, Created: &now, Tasks: []machine.ListedTask{}, Config: machine.ListConfig{
		ConcurrencyMode: machine.Exclusive, MaxTasksPerSession: machine.DefaultTasksPerSession, MaxSessions: machine.DefaultSessions,
	}}
	if o.concurrent {
		list.Config.ConcurrencyMode = machine.Concurrent
	}
	err = p.store.Create(list)
	switch {
	case errors.Is(err, fs.ErrExist) && missing(p.store.Path()):
		return usageError("%v", err)
	case errors.Is(err, fs.ErrExist):
		if err := o.host.say("%s is there already, and stays as it is.", tasklist.FileName); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if err := p.store.Log(sessions.ProgressLine{Session: 1, Type: "INIT", Message: "Harness initialized for project " + root}); err != nil {
			return err
		}
		if err := o.host.say("Wrote %s and %s.", tasklist.FileName, tasklist.ProgressName); err != nil {
			return err
		}
	}
	if err := p.store.Activate(); err != nil {
		return err
	}
	in := bufio.NewScanner(o.host.In)
	if err := errors.Join(o.offerIgnore(root, in), o.offerInit(ctx, repo, root, in)); err != nil {
		return err
	}
	return o.host.say("Next: autopilot tasks add \"What is to be done\" --validation \"go test ./...\"")
}

// ignored are the lines that .gitignore is offered.
var ignored = []string{"/harness-tasks.json*", "/harness-progress.txt", "/.harness-*", "/.harness/"}

// offerIgnore adds the lines that .gitignore lacks, where a person, or --yes, says so.
func (o *tasksInitOptions) offerIgnore(root string, in *bufio.Scanner) error {
	path := filepath.Join(root, ".gitignore")
	text, err := os.ReadFile(path)
	if err != nil && !missingFile(err) {
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
	if err := writeFile(path, append(text, []byte(strings.Join(lack, "\n")+"\n")...)); err != nil {
		return err
	}
	return o.host.say("Added to .gitignore: %s. Commit it before the first run: git add .gitignore && git commit -m \"Ignore the task file\"", strings.Join(lack, ", "))
}

// offerInit writes harness-init.sh where there is something to install and a person, or --yes, says so.
func (o *tasksInitOptions) offerInit(ctx context.Context, repo *git.Repo, root string, in *bufio.Scanner) error {
	path := filepath.Join(root, tasks.InitScript)
	if _, err := os.Lstat(path); err == nil || repo == nil {
		return nil // what is there stays
	}
	paths, err := repo.Files(ctx)
	if err != nil {
		return err
	}
	found, _ := profile.Scan(root, paths) // a manifest that cannot be read is no matter here
	text := profile.InitScript(found)
	question := fmt.Sprintf("Write %s, which installs dependencies by %s at the start of each run?", tasks.InitScript, strings.Join(installers(found), ", "))
	if text == "" {
		text, question = initTemplate, fmt.Sprintf("Write %s, a template for what has to be done at the start of each run?", tasks.InitScript)
	}
	if !o.wants(question, in) {
		return nil
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		return err
	}
	return o.host.say("Wrote %s. Look at it, and commit it.", tasks.InitScript)
}

// initTemplate is the script where nothing is known that has to be installed.
const initTemplate = `#!/bin/sh
# Makes the working tree ready at the start of each run of the tasks. It has to be safe to run again.
set -e
`

// wants asks; where nobody can be asked, the answer is no.
func (o *tasksInitOptions) wants(question string, in *bufio.Scanner) bool {
	if o.yes {
		return true
	}
	if !o.host.Terminal {
		return false
	}
	fmt.Fprintf(o.host.Err, "%s (yes / no) [no]: ", question)
	return in.Scan() && strings.HasPrefix(strings.ToLower(strings.TrimSpace(in.Text())), "y")
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}
