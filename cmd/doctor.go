package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
	"autopilot/config"
	"autopilot/personas"
)

type doctorOptions struct {
	host *Host

	json bool
}

func newDoctor(h *Host) *cobra.Command {
	o := &doctorOptions{host: h}
	c := &cobra.Command{
		Use: "doctor", Short: "Look whether everything that a run needs is there; no tokens are spent",
		Example: "  autopilot doctor\n  autopilot doctor --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON array")
	return c
}

// diagnosis is one thing that was looked at.
type diagnosis struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, note, wrong
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// patient is what the checks look at; what could not be had is nil.
type patient struct {
	host *Host
	repo *git.Repo
	cfg  *config.Config
	err  error // of the configuration
}

// examinations are the checks of doctor, in their order.
var examinations = []func(context.Context, *patient) []diagnosis{
	gitProgram, repository, configuration, backend, validation, setup, permissions, hooks, leftovers,
}

func runDoctor(ctx context.Context, o *doctorOptions) error {
	p := &patient{host: o.host}
	var all []diagnosis
	wrong := 0
	for _, examine := range examinations {
		for _, d := range examine(ctx, p) {
			all = append(all, d)
			if d.Status == "wrong" {
				wrong++
			}
		}
	}
	if err := o.print(all); err != nil {
		return err
	}
	if wrong > 0 {
		return &codedError{code: 1}
	}
	return nil
}

func (o *doctorOptions) print(all []diagnosis) error {
	if o.json {
		return json.NewEncoder(o.host.Out).Encode(all)
	}
	for _, d := range all {
		if _, err := fmt.Fprintln(o.host.Out, wrapped(fmt.Sprintf("%-6s %-14s %s", d.Status, d.Name, clean(d.Detail)), o.host.outWidth(), 22)); err != nil {
			return err
		}
		if d.Remedy != "" {
			fmt.Fprintln(o.host.Out, told("       "+clean(d.Remedy), o.host.outWidth()))
		}
	}
	return nil
}

func gitProgram(ctx context.Context, p *patient) []diagnosis {
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return []diagnosis{{"git", "wrong", "git does not run: " + err.Error(), "Install git 2.34 or later."}}
	}
	return []diagnosis{{Name: "git", Status: "ok", Detail: strings.TrimSpace(string(out))}}
}

// repository looks for a repository, a commit and an identity.
func repository(ctx context.Context, p *patient) []diagnosis {
	repo, err := git.Open(ctx, p.host.Dir)
	if err != nil {
		message, remedy, _ := strings.Cut(err.Error(), ". ")
		if found, findErr := git.Find(ctx, p.host.Dir); findErr == nil {
			p.repo = found
		}
		return []diagnosis{{"repository", "wrong", message, remedy}}
	}
	p.repo = repo
	position, err := repo.Position(ctx)
	if err != nil {
		return []diagnosis{{"repository", "wrong", err.Error(), ""}}
	}
	return []diagnosis{{Name: "repository", Status: "ok", Detail: short(repo.Root()) + ", on " + first(position.Branch, "no branch")}}
}

func configuration(_ context.Context, p *patient) []diagnosis {
	root := ""
	if p.repo != nil {
		root = p.repo.Root()
	}
	cfg, report, err := loadConfig(p.host, root, "", nil)
	p.cfg, p.err = cfg, err
	if err != nil {
		return []diagnosis{{"configuration", "wrong", err.Error(), "autopilot help configuration lists the keys."}}
	}
	found := []diagnosis{{Name: "configuration", Status: "ok", Detail: first(strings.Join(report.Files, ", "), "defaults only")}}
	for _, w := range report.Warnings {
		found = append(found, diagnosis{Name: "configuration", Status: "note", Detail: w})
	}
	return found
}

// backend makes the backend of each persona without asking it anything, and looks whether its address answers.
func backend(ctx context.Context, p *patient) []diagnosis {
	if p.cfg == nil || p.repo == nil {
		return nil
	}
	set, err := personas.Load(overrides(filepath.Join(p.repo.Root(), ".harness")))
	if err != nil {
		return []diagnosis{{"personas", "wrong", err.Error(), ""}}
	}
	b := &backends{host: p.host, root: p.repo.Root(), cfg: p.cfg}
	var found []diagnosis
	names := map[string]bool{}
	for _, persona := range []personas.Name{personas.Planner, personas.Executor, personas.Verifier, personas.Reviewer} {
		_, name, err := b.For(set.For(persona, personas.Work))
		switch {
		case err != nil && !names["?"]:
			names["?"] = true
			message, remedy, _ := strings.Cut(err.Error(), "\n")
			found = append(found, diagnosis{"backend", "wrong", string(persona) + ": " + message, strings.ReplaceAll(remedy, "\n", " ")})
		case err == nil && !names[name]:
			names[name] = true
			found = append(found, diagnosis{Name: "backend", Status: "ok", Detail: fmt.Sprintf("%s plays the %s", name, persona)})
			found = append(found, endpoint(ctx, p, name)...)
		}
	}
	return found
}

// endpoint opens a connection to the server of an openai backend, and closes it again.
func endpoint(ctx context.Context, p *patient, name string) []diagnosis {
	described, ok := p.cfg.Backends[name]
	address := described.BaseURL
	if !ok {
		address = p.host.Getenv("OPENAI_BASE_URL")
	}
	u, err := url.Parse(address)
	if address == "" || err != nil || u.Host == "" {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80"}[u.Scheme]
	}
	dialer := net.Dialer{Timeout: 3 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), first(port, "443")))
	if err != nil {
		return []diagnosis{{"endpoint", "wrong", address + " does not answer: " + err.Error(), "Start the server, or correct base_url."}}
	}
	_ = conn.Close()
	return []diagnosis{{Name: "endpoint", Status: "ok", Detail: address + " answers"}}
}

func validation(_ context.Context, p *patient) []diagnosis {
	if p.repo == nil || p.cfg == nil {
		return nil
	}
	wanted := settings(p.cfg)
	if wanted.ValidateNone {
		return []diagnosis{{Name: "validation", Status: "note", Detail: "none, by the configuration's wish: phases go on unverified"}}
	}
	found, err := check.Find(p.repo.Root(), wanted.Validations...)
	if err != nil {
		return []diagnosis{{"validation", "wrong", err.Error(), ""}}
	}
	if len(found) == 0 {
		return []diagnosis{{"validation", "note", "no command was found", "Name some in autopilot.yaml: validate: {commands: [make test]}"}}
	}
	var commands []string
	for _, v := range found {
		commands = append(commands, v.Command)
	}
	return []diagnosis{{Name: "validation", Status: "ok", Detail: strings.Join(commands, "; ")}}
}

// permissions tries to write where a session would lie.
func permissions(_ context.Context, p *patient) []diagnosis {
	if p.repo == nil {
		return nil
	}
	dir := filepath.Join(p.repo.Root(), ".harness")
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return []diagnosis{{"permissions", "wrong", ".harness is no folder", "Remove it, or make it a folder."}}
	}
	probe := p.repo.Root()
	if _, err := os.Stat(dir); err == nil {
		probe = dir
	}
	f, err := os.CreateTemp(probe, ".autopilot-doctor-")
	if err != nil {
		return []diagnosis{{"permissions", "wrong", "cannot write: " + err.Error(), "Give yourself the right to write there."}}
	}
	err = errors.Join(f.Close(), os.Remove(f.Name()))
	if err != nil {
		return []diagnosis{{"permissions", "wrong", err.Error(), ""}}
	}
	return []diagnosis{{Name: "permissions", Status: "ok", Detail: "the repository can be written"}}
}

// hooks names the repository's git hooks: they run at each commit.
func hooks(_ context.Context, p *patient) []diagnosis {
	if p.repo == nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(p.repo.CommonDir(), "hooks", "*"))
	var active []string
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Mode()&0o111 != 0 && !strings.HasSuffix(f, ".sample") {
			active = append(active, filepath.Base(f))
		}
	}
	if len(active) == 0 {
		return nil
	}
	return []diagnosis{{Name: "hooks", Status: "note", Detail: strings.Join(active, ", ") + " run at the program's commits too"}}
}

// leftovers names what a run that was killed may have left.
func leftovers(_ context.Context, p *patient) []diagnosis {
	if p.repo == nil {
		return nil
	}
	var found []diagnosis
	if _, err := os.Stat(filepath.Join(p.repo.GitDir(), "index.lock")); err == nil {
		found = append(found, diagnosis{"leftovers", "wrong", "git's index.lock is there", "If no git is at work, remove " + filepath.Join(p.repo.GitDir(), "index.lock")})
	}
	if files, _ := filepath.Glob(filepath.Join(p.repo.Root(), ".harness", "out", "*")); len(files) > 0 {
		found = append(found, diagnosis{Name: "leftovers", Status: "note", Detail: fmt.Sprintf("%d in .harness/out; the next run of its session clears them", len(files))})
	}
	trees, _ := p.repo.Worktrees()
	for _, dir := range trees {
		if autopilot.IsClean(dir) {
			found = append(found, diagnosis{Name: "leftovers", Status: "note", Detail: dir + "; the next run of its session clears it"})
		}
	}
	return found
}
