package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

type initOptions struct {
	host *console.Host

	yes bool
}

// NewInit is the command init.
func NewInit(h *console.Host) *cobra.Command {
	o := &initOptions{host: h}
	c := &cobra.Command{
		Use: "init", Short: "Write a commented autopilot.yaml for this repository",
		Long: "Asks which agent does the work, which commands must pass and how to notify you, and writes autopilot.yaml with your answers\nand every other key as a comment. Without a terminal, or with --yes, it asks nothing and uses what it finds.\n\n" +
			"It also updates .harness/project_profile.json, which tells agents the project's languages and commands. If the project has\n" +
			"dependencies to install, it offers to write .harness/init.sh, which installs them at the start of each run of a spec (task\n" +
			"lists have harness-init.sh); --yes writes it. An existing autopilot.yaml or .harness/init.sh is never overwritten.",
		Example: "  autopilot init\n  autopilot init --yes", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runInit(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.yes, "yes", false, "ask nothing, and write .harness/init.sh too where it helps")
	return c
}

// wishes are the answers of init.
type wishes struct {
	backend                string // of a known agent program; server: the address and so on; "": decided later
	baseURL, model, keyEnv string
	commands               []string
	chosen                 bool   // the commands are a person's, not those that were found
	notices                string // auto, bell or off
}

// server is the backend that is described by an address, a model and a key.
const server = "server"

func runInit(ctx context.Context, o *initOptions) error {
	repo, err := app.UserRepoAt(ctx, o.host.Dir, git.Find)
	if err != nil {
		return err
	}
	path := filepath.Join(repo.Root(), config.ProjectFile)
	_, missing := os.Stat(path)
	found, done, err := o.describe(ctx, repo)
	if err != nil {
		return err
	}
	if missing != nil {
		if err := o.configure(ctx, repo, path); err != nil {
			return err
		}
	}
	wrote, err := o.offerScript(ctx, repo, found)
	var written []string
	if missing != nil {
		written = append(written, config.ProjectFile)
	}
	if wrote {
		written = append(written, ".harness/"+worktree.InitScript)
	}
	o.trustWritten(ctx, repo, written)
	if err == nil && missing == nil && !done && !wrote {
		err = console.UsageError("%s is there already; edit it, or see what it says: autopilot config", config.ProjectFile)
	}
	return err
}

// trustWritten remembers that the user trusts what init has just written.
func (o *initOptions) trustWritten(ctx context.Context, repo *git.Repo, files []string) {
	if cfg, _, err := app.LoadConfig(o.host, repo.Root(), "", nil); err == nil {
		app.TrustWritten(ctx, &app.Backends{Host: o.host, Root: repo.Root(), Cfg: cfg}, repo, files...)
	}
}

// configure writes autopilot.yaml.
func (o *initOptions) configure(ctx context.Context, repo *git.Repo, path string) error {
	w := wishes{baseURL: o.host.Getenv("OPENAI_BASE_URL"), model: o.host.Getenv("OPENAI_MODEL"), keyEnv: "OPENAI_API_KEY", notices: "auto"}
	if w.baseURL != "" || w.model != "" {
		w.backend = server
	}
	found, err := validate.Find(repo.Root())
	if err != nil {
		return err
	}
	for _, v := range found {
		w.commands = append(w.commands, v.Command)
	}
	if o.host.Terminal && !o.yes {
		if err := o.ask(ctx, &w, (&app.Backends{Host: o.host, Root: repo.Root()}).Installed()); err != nil {
			return err
		}
	}
	if err := create(path, w.file(), 0o644); err != nil {
		return err
	}
	return o.host.Say("Wrote %s. Next, check that this machine is ready: autopilot doctor", config.ProjectFile)
}

// create writes a file that is not there yet.
func create(path, text string, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// file is autopilot.yaml: what was wished, then every other key as a comment with its default.
func (w wishes) file() string {
	var b strings.Builder
	b.WriteString("# Settings of autopilot. To change one, remove the # before it. All settings: autopilot help configuration\n\n")
	if w.backend == server && w.baseURL == "" && w.model == "" {
		w.backend = "" // that names nothing
	}
	switch w.backend {
	case server:
		fmt.Fprintf(&b, "backend: main\nbackends:\n  main:\n    type: openai\n    api_key_env: %s\n", w.keyEnv)
		if w.baseURL != "" {
			fmt.Fprintf(&b, "    base_url: %q\n", w.baseURL)
		}
		if w.model != "" {
			fmt.Fprintf(&b, "    model: %q\n", w.model)
		}
	case "":
		b.WriteString("# Who does the work: an agent program that you have (claude, codex, gemini, opencode, qwen), or a server.\n# backend: claude\n# backend: main\n# backends:\n#   main: {type: openai, base_url: \"http://127.0.0.1:8080/v1\", model: some-model, api_key_env: OPENAI_API_KEY}\n")
	default:
		fmt.Fprintf(&b, "backend: %s\n", w.backend)
	}
	b.WriteString("\n# Commands that must pass. By default, autopilot finds them in the project's files.\n")
	mark := "# "
	if w.chosen {
		mark = ""
	}
	if len(w.commands) == 0 {
		w.commands = []string{"make test"}
	}
	fmt.Fprintf(&b, "%svalidate:\n%s  commands:\n", mark, mark)
	for _, c := range w.commands {
		fmt.Fprintf(&b, "%s    - %q\n", mark, c)
	}
	b.WriteString("\n")
	if w.notices != "auto" {
		fmt.Fprintf(&b, "notify: {terminal: %s, desktop: off}\n\n", w.notices)
	}
	for _, k := range config.Keys() {
		if strings.Contains(k.Name, ".") || k.Default == "" || k.Name == "backend" {
			continue
		}
		fmt.Fprintf(&b, "# %s\n# %s: %s\n", k.Doc, k.Name, k.Default)
	}
	return b.String()
}
