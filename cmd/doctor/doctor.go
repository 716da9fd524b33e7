// Package doctor is the command doctor: it checks that this machine is ready to run. Each check looks at one thing, such as
// git, the configuration, a backend or the sandbox, and says what is wrong and what to do about it.
//
// It spends no tokens without --probe, and changes nothing. A program or an address that a file of the repository names is
// shown and not tried, unless the user trusts it: see app.TrustList.
//
//	root.AddCommand(doctor.New(host)) // exit code 1: something is wrong
package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
)

// New is the command doctor.
func New(h *console.Host) *cobra.Command {
	o := &doctorOptions{host: h}
	c := &cobra.Command{
		Use: "doctor", Short: "Check that this machine is ready to run (uses no tokens)",
		Long: "Checks git, the repository, the configuration, each backend with its server or program and its login, the sandbox, and the\n" +
			"validation commands. Uses no tokens. With --probe it also sends one small request to each configured backend.\n" +
			"Programs and addresses from the repository's own files that you don't trust yet are listed but not tried; --trust trusts\n" +
			"them, and --probe asks at a terminal. Exit code 0: ready, 1: something is wrong.",
		Example: "  autopilot doctor\n  autopilot doctor --probe\n  autopilot doctor --backend claude\n  autopilot doctor --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON array")
	c.Flags().StringVar(&o.backend, "backend", "", "check the backend `NAME`, as a run with this flag would use it")
	c.Flags().StringVar(&o.model, "model", "", "check for the model `NAME`")
	c.Flags().BoolVar(&o.trust, "trust", false, app.TrustFlag)
	c.Flags().BoolVar(&o.probe, "probe", false, "send one small request to each configured backend (with an agent program, a few thousand tokens)")
	return c
}

// checks are those of doctor, in their order, each with what it cannot do without.
var checks = []check{
	{nothing, gitProgram},
	{nothing, repository},
	{aRepo, gitSettings},
	{aRepo, gitPrograms},
	{aRepo, gitAttributes},
	{aRepo, leadsOut},
	{nothing, configuration},
	{itsConfig, trust},
	{itsConfig, backend},
	{nothing, sandbox},
	{itsConfig, mcpPrograms},
	{itsConfig, validation},
	{aRepo, setup},
	{aRepo, permissions},
	{aRepo, hooks},
	{aRepo, leftovers},
}

func runDoctor(ctx context.Context, o *doctorOptions) error {
	o.trust = o.trust || o.host.Trusts
	p := &doctorInput{doctorOptions: o, endpoints: map[string][]diagnosis{}, answers: map[diagnosis]*probed{}}
	defer p.tidyAway()
	wanted := checks
	if o.probe {
		wanted = append(slices.Clone(wanted), check{itsConfig, probes})
	}
	var all []diagnosis
	wrong := 0
	for _, c := range wanted {
		if !p.has(c.needs) {
			continue
		}
		for _, d := range c.look(ctx, p) {
			all = append(all, d)
			if d.Status == "wrong" {
				wrong++
			}
			if err := o.show(d); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if o.json {
		if err := json.NewEncoder(o.host.Out).Encode(p.withAnswers(all)); err != nil {
			return err
		}
	}
	return console.Exit(min(wrong, 1))
}

// show prints what was found as soon as it is known: some of it takes a while.
func (o *doctorOptions) show(d diagnosis) error {
	if o.json {
		return nil
	}
	if _, err := fmt.Fprintln(o.host.Out, console.Wrapped(fmt.Sprintf("%-6s %-14s %s", d.Status, d.Name, console.Clean(d.Detail)), o.host.OutWidth(), 22)); err != nil {
		return err
	}
	if d.Remedy != "" {
		fmt.Fprintln(o.host.Out, console.Told("       "+console.Clean(d.Remedy), o.host.OutWidth()))
	}
	return nil
}

// repository looks for a repository, a commit and an identity.
func repository(ctx context.Context, p *doctorInput) []diagnosis {
	repo, err := git.Open(ctx, p.host.Dir)
	if err != nil {
		message, remedy, _ := strings.Cut(err.Error(), ". ")
		if found, findErr := app.RepoAt(ctx, p.host.Dir, git.Find); findErr == nil {
			p.repo = found
		}
		return []diagnosis{{"repository", "wrong", message, remedy}}
	}
	if err := app.PlainHarness(repo.Root()); err != nil { // nothing else is to look below it
		message, remedy, _ := strings.Cut(err.Error(), ": ")
		return []diagnosis{{"repository", "wrong", message, remedy}}
	}
	p.repo = repo
	position, err := repo.Position(ctx)
	if err != nil {
		return []diagnosis{{"repository", "wrong", err.Error(), ""}}
	}
	return []diagnosis{{Name: "repository", Status: "ok", Detail: console.ShortPath(repo.Root()) + ", on " + cmp.Or(position.Branch, "no branch")}}
}

func configuration(_ context.Context, p *doctorInput) []diagnosis {
	root := ""
	if p.repo != nil {
		root = p.repo.Root()
	}
	cfg, report, err := app.LoadConfig(p.host, root, "", nil)
	p.cfg = cfg
	if err != nil {
		return []diagnosis{{"configuration", "wrong", err.Error(), "autopilot help configuration lists the keys."}}
	}
	found := []diagnosis{{Name: "configuration", Status: "ok", Detail: cmp.Or(strings.Join(report.Files, ", "), "defaults only")}}
	for _, w := range report.Warnings {
		found = append(found, diagnosis{Name: "configuration", Status: "note", Detail: w})
	}
	return found
}

// permissions tries to write where a session would lie.
func permissions(_ context.Context, p *doctorInput) []diagnosis {
	dir := filepath.Join(p.repo.Root(), ".harness")
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
		return []diagnosis{{"permissions", "wrong", err.Error(), "Give yourself the right to write and to remove files there."}}
	}
	return []diagnosis{{Name: "permissions", Status: "ok", Detail: "the repository can be written"}}
}

// leftovers names what a run that was killed may have left.
func leftovers(_ context.Context, p *doctorInput) []diagnosis {
	var found []diagnosis
	if _, err := os.Stat(filepath.Join(p.repo.GitDir(), "index.lock")); err == nil {
		found = append(found, diagnosis{"leftovers", "wrong", "git's index.lock is there", "If no git is at work, remove " + filepath.Join(p.repo.GitDir(), "index.lock")})
	}
	files, err := storage.Below(storage.OSDisk{}, p.repo.Root(), ".harness", "out", "*")
	if err != nil {
		found = append(found, diagnosis{"leftovers", "wrong", err.Error(), "Give yourself the right to read there, or check the disk."})
	}
	if len(files) > 0 {
		found = append(found, diagnosis{Name: "leftovers", Status: "note", Detail: fmt.Sprintf("%d in .harness/out; the next run of its session clears them", len(files))})
	}
	trees, _ := p.repo.Worktrees.List()
	for _, dir := range trees {
		if autopilot.IsClean(dir) {
			found = append(found, diagnosis{Name: "leftovers", Status: "note", Detail: dir + "; the next run of its session clears it"})
		}
	}
	return found
}
