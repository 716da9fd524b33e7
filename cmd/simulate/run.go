package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/chaos"
	"autopilot/sessions/storage"
	"autopilot/spec"
)

const (
	// longestRun ends a simulated run that does not end by itself.
	longestRun = 5 * time.Minute
	// window keeps a prompt from being too long for a model that is none.
	window = 4_000_000
)

// Run runs a spec as autopilot run does, and goes on from phase to phase. recast puts the simulation's people into
// the engine, which then needs no backend.
type Run func(ctx context.Context, h *console.Host, spec string, recast func(*autopilot.Engine)) error

// Simulation is a spec against scripted personas.
type Simulation struct {
	Run Run

	host  *console.Host
	cfg   *config.Config
	spec  *spec.Spec
	rel   string // the spec's path
	plans []scriptedPlan
	logs  string // the folder for what runs say; "": nowhere

	dir     string // temporary; holds a clone of the user's repository, and a clone of that for each run
	environ []string
}

// Prepare reads the spec and its plans, and makes the clone.
func Prepare(ctx context.Context, h *console.Host, run Run, path, logs string) (*Simulation, error) {
	path, err := app.Named(ctx, h, path)
	if err != nil {
		return nil, err
	}
	w, err := app.FindWorkspace(ctx, h, path, git.Open)
	if err != nil {
		return nil, err
	}
	parsed, _, _, err := autopilot.ReadNewSpec(w.Repo.Root(), w.Spec)
	if err != nil {
		return nil, err
	}
	cfg, _, err := app.LoadConfig(h, w.Repo.Root(), "", nil)
	if err != nil {
		return nil, err
	}
	s := &Simulation{Run: run, host: h, cfg: cfg, spec: parsed, rel: w.Rel, plans: usersPlans(w, parsed)}
	if logs != "" {
		s.logs = h.Path(logs)
		if err := os.MkdirAll(s.logs, 0o755); err != nil {
			return nil, console.UsageError("%v: name a folder in a place where you may write", err)
		}
	}
	if err := s.lay(ctx, w); err != nil {
		s.Close()
		return nil, fmt.Errorf("making a clone to simulate in: %w", err)
	}
	return s, nil
}

// Close removes the clone.
func (s *Simulation) Close() { _ = os.RemoveAll(s.dir) }

// Play runs the spec once, from the beginning to wherever it ends. The name is that of its folder and its log.
func (s *Simulation) Play(ctx context.Context, profile chaos.Profile, seed uint64, name string) (Outcome, error) {
	dir, err := s.scene(ctx, name)
	if err != nil {
		return Outcome{}, err
	}
	defer os.RemoveAll(dir)
	log := os.DevNull
	if s.logs != "" {
		log = filepath.Join(s.logs, name+".log")
	}
	said, err := os.Create(log)
	if err != nil {
		return Outcome{}, err
	}
	defer said.Close()
	limited, stop := context.WithTimeout(ctx, longestRun)
	defer stop()
	host := s.hostOf(dir, said)
	st := &stage{Simulation: s, tree: dir}
	seen := &witness{cast: s.cast(host, st, profile, seed)}
	chance := rand.New(rand.NewPCG(seed, 1))
	person := &actor{stage: st, careful: profile.Alone || chance.IntN(3) == 0, chance: chance}
	ended := console.InterruptedBy(limited, s.Run(limited, host, s.rel, func(e *autopilot.Engine) {
		seen.Store, st.state = e.Journal.Store, e.Journal.State
		e.Journal.Store, e.Human, e.Backends = seen, person, ensemble{seen.cast}
	}))
	if ctx.Err() != nil {
		return Outcome{}, stopped(ctx)
	}
	r := &simulated{dir: dir, code: console.ExitCode(limited, ended), text: fmt.Sprint(ended), seen: seen}
	if seen.Store != nil {
		r.state = seen.State()
	}
	v := Outcome{
		Profile: profile.Name, Seed: seed, ExitCode: r.code, State: r.state.CurrentState, Phase: r.state.CurrentPhase + 1, Ended: r.ending(),
		Dispatches: r.state.Usage.Dispatches, Behaviours: seen.behaviours(),
	}
	if r.state.Gate != nil {
		v.Gate = string(r.state.Gate.Kind)
	}
	v.Breaches, err = s.judge(ctx, r)
	return v, err
}

// stopped is the end by a signal. Unlike a run, nothing goes on later.
func stopped(ctx context.Context) error {
	return &console.CodedError{Code: console.ExitCode(ctx, &halt.InterruptedError{}), Err: errors.New("stopped; the simulation is thrown away, and the same command starts over")}
}

// hostOf is a machine for one run: its own folder, clock and disk, and nobody at a terminal. The clock is ahead of the user's
// by what was slept, for nobody waits for a simulation.
func (s *Simulation) hostOf(dir string, said io.Writer) *console.Host {
	host := *s.host
	var slept atomic.Int64
	host.Now = func() time.Time { return s.host.Now().Add(time.Duration(slept.Load())) }
	host.Sleep = func(ctx context.Context, d time.Duration) error {
		slept.Add(int64(d))
		return context.Cause(ctx)
	}
	host.Dir, host.Environ, host.NoUserConfig = dir, s.environ, true
	host.Terminal, host.OutTerminal, host.Width, host.Final = false, false, func() int { return 0 }, nil
	host.Out, host.Err, host.Disk = said, said, storage.PassingDisk{}
	return &host
}

func (s *Simulation) cast(host *console.Host, st *stage, profile chaos.Profile, seed uint64) *chaos.Cast {
	cast := &chaos.Cast{Seed: seed, Profile: profile, Work: st.Work, Now: host.Now, Environ: host.Environ}
	cast.Agent = agent.New(nil, agent.Options{
		ModelFor: func(d personas.Dispatch) (agent.Model, error) { return cast.Model(d), nil },
		Window:   window, Environ: host.Environ, Now: host.Now,
	})
	return cast
}

// ensemble plays every persona by the cast, which nobody stands in for.
type ensemble struct{ cast *chaos.Cast }

func (e ensemble) For(personas.Persona) (personas.Backend, string, error) {
	return e.cast, "simulation", nil
}

func (e ensemble) Limited(_ personas.Persona, name string, until time.Time) (string, time.Time, bool) {
	return name, until, false
}
