package config

import "time"

// Config is what a run is to do and how far it may go. The tags are the one
// place where a key is described: key is its name in a file, default its value
// where no layer gives one, allow the rule its value is held to (see rules.go),
// doc what people read about it.
type Config struct {
	Rigor       string `key:"rigor" default:"standard" allow:"fast|standard|thorough" doc:"How much autopilot checks and asks. Fixed when a session starts. The variable AUTOPILOT_RIGOR doesn't set it: autopilot sets that variable for agents."`
	ReviewPlans bool   `key:"review_plans" default:"false" doc:"Ask you to approve every plan. Fixed when a session starts."`

	Backend  string             `key:"backend" default:"auto" allow:"text" doc:"The backend of all agents: a name under backends, a known server, an agent program such as claude, or auto for the first one found."`
	Model    string             `key:"model" doc:"The model that the backends use. Empty: the backend's default."`
	Backends map[string]Backend `key:"backends" allow:"name" doc:"The backends, by name. Names are case-sensitive."`
	Prices   map[string]Price   `key:"prices" allow:"model" doc:"Prices by model name, without a router's prefix such as openrouter/. They override the built-in list."`
	Personas map[string]Persona `key:"personas" allow:"planner|executor|verifier|reviewer" doc:"Settings of one persona: planner, executor, verifier or reviewer."`

	Retries  int      `key:"retries" default:"3" allow:"0..10" doc:"How many times a failed task is tried again. 3 makes 4 attempts in all."`
	Parallel int      `key:"parallel" default:"1" allow:"1.." doc:"How many tasks of a phase may run at the same time, each in a separate worktree."`
	Turns    int      `key:"turns" default:"200" allow:"1.." doc:"How many model calls the built-in agent may make in one agent run."`
	Timeouts Timeouts `key:"timeouts" doc:"How long one agent run, command or hook may take."`

	Limits     Limits    `key:"limits" doc:"The budgets of a session, in all its runs. A session that reaches one stops; raise it to continue."`
	PauseEvery int       `key:"pause_every" default:"0" allow:"0.." doc:"Pause and ask you after this many agent runs. 0: never."`
	Learnings  Learnings `key:"learnings" doc:"Learnings from earlier work."`
	Tasks      Tasks     `key:"tasks" doc:"How tasks run."`
	Fix        FixRounds `key:"fix" doc:"How findings are fixed."`
	Verify     Verify    `key:"verify" doc:"How a phase is verified, besides its plan."`
	Validate   Validate  `key:"validate" doc:"The project's own checks."`
	Integrity  Integrity `key:"integrity" doc:"How autopilot detects changes that weaken the tests."`
	MCP        MCP       `key:"mcp" doc:"Model Context Protocol servers, whose tools agents may use."`
	Worktree   Worktree  `key:"worktree" doc:"How a new worktree is prepared."`
	Git        Git       `key:"git" doc:"Settings for git."`
	Notify     Notify    `key:"notify" doc:"Notices while you are away."`
	UI         UI        `key:"ui" doc:"How a run is shown."`

	fromRepository map[string]Origin // of the keys that a file of the repository sets, by id
}

// Backend is one way to run a persona. A field that its type does not use
// stays at its zero value.
type Backend struct {
	Type        string            `key:"type" allow:"openai|replay|command|acp|manual" doc:"The kind of backend: openai (any compatible server), replay (recorded model answers), command (a program), acp (a program that speaks the Agent Client Protocol), manual (a person)."`
	Preset      string            `key:"preset" allow:"text" doc:"A known server or agent program. It fills in the other settings, type included; docs/backends.md lists them."`
	BaseURL     string            `key:"base_url" allow:"url" doc:"Address of the server, such as http://127.0.0.1:8080/v1."`
	Model       string            `key:"model" allow:"text" doc:"The model. It overrides the top-level key model."`
	APIKeyEnv   string            `key:"api_key_env" allow:"variable" doc:"The name of the environment variable with the API key. Never write the key itself into a file."`
	Interactive []string          `key:"interactive" allow:"program" doc:"Program and arguments for autopilot plan --interactive. autopilot fills in {prompt_file}."`
	Command     []string          `key:"command" allow:"program" doc:"Program and arguments, run at the root of the working tree. autopilot fills in {prompt_file}, {reply_file}, {model} and {agent}. With a preset: the path of its program, and additional arguments."`
	Agent       string            `key:"agent" allow:"text" doc:"Which of the program's own agents to use (claude and opencode), or the value of {agent} in command."`
	Window      int               `key:"window" allow:"1000.." doc:"The model's context window in tokens. Left out: what the server reports, else the known size of the model, else 128000."`
	File        string            `key:"file" allow:"text" doc:"The replay file, relative to the repository root."`
	Effort      string            `key:"effort" allow:"none|minimal|low|medium|high|xhigh|max" doc:"How long a reasoning model thinks, if it has such a setting. Left out: the model's default."`
	Tools       string            `key:"tools" allow:"api|text" doc:"How the model calls tools: api (the server's tool calling) or text (within its answer, for models without tool calling). Left out: api."`
	Stream      *bool             `key:"stream" doc:"Whether to stream answers. Left out: what works best with the server."`
	Sandbox     string            `key:"sandbox" allow:"off|auto|required" doc:"Whether bubblewrap confines the built-in agent's commands to the working tree: off, auto (if it works here) or required. Left out: off."`
	Network     *bool             `key:"network" doc:"Whether the built-in agent's commands may use the network. false needs a sandbox. Left out: true."`
	Env         map[string]string `key:"env" allow:"variable" doc:"Additional environment variables for the program."`
	PassEnv     []string          `key:"pass_env" allow:"variable" doc:"Variables with secrets, such as GITHUB_TOKEN, to pass to a preset's program or to the built-in agent's commands. A program always gets its own credentials."`
}

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	Input  float64 `key:"input" allow:"0.." doc:"US dollars per million tokens sent to the model NAME, written without a router's prefix such as openrouter/."`
	Cached float64 `key:"cached" allow:"0.." doc:"US dollars per million cached tokens. 0: the same as input."`
	Output float64 `key:"output" allow:"0.." doc:"US dollars per million tokens received."`
}

// Persona is what one persona does differently from the rest. An empty field
// changes nothing.
type Persona struct {
	Backend  string   `key:"backend" allow:"text" doc:"The backend of this persona (planner, executor, verifier or reviewer). It takes the same values as the top-level key backend."`
	Model    string   `key:"model" allow:"text" doc:"The model of this persona. It overrides the backend's model."`
	Fallback []string `key:"fallback" allow:"text" doc:"Backends to use, in this order, while the one before is rate-limited."`
	Agent    string   `key:"agent" allow:"text" doc:"Which of the agent program's own agents plays this persona. It overrides the backend's agent."`
}

// Timeouts are limits for one dispatch, command or hook.
type Timeouts struct {
	Idle       time.Duration `key:"idle" default:"10m" allow:">0" doc:"An agent run without any output for this long is stopped."`
	Dispatch   time.Duration `key:"dispatch" default:"60m" allow:">0" doc:"The longest that one agent run may take."`
	Validation time.Duration `key:"validation" default:"0" allow:"0.." doc:"The longest that one validation command may take. 0: 10 minutes, or three times as long as it took before any work, if that is more."`
	Hook       time.Duration `key:"hook" default:"10m" allow:">0" doc:"The longest that a git hook of the repository may take."`
}

// Limits are the budgets of a session, counted over all its runs.
type Limits struct {
	MaxDispatches int           `key:"max_dispatches" default:"200" allow:"1.." doc:"Agent runs of a session, in all its runs."`
	MaxDuration   time.Duration `key:"max_duration" default:"24h" allow:">0" doc:"Running time of a session, in all its runs."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"20" allow:">0" doc:"Cost of a session in US dollars, in all its runs, where prices are known."`
	MaxTokens     int           `key:"max_tokens" default:"20000000" allow:"1.." doc:"Tokens of a session, sent and received, in all its runs."`
	Phase         PhaseLimits   `key:"phase" doc:"The budgets of each phase, and of the final review."`
	Task          TaskLimits    `key:"task" doc:"The budgets of each task, in all its attempts."`
	Wait          string        `key:"wait" default:"auto" allow:"wait" doc:"Whether to wait for a rate limit of the backend: auto (up to 6 hours), never, or the longest wait, such as 30m."`
}

// PhaseLimits are the budgets of each phase, and of the final review.
type PhaseLimits struct {
	MaxDispatches int           `key:"max_dispatches" default:"100" allow:"1.." doc:"Agent runs of one phase. The final review counts as a phase, here and in the next three keys."`
	MaxDuration   time.Duration `key:"max_duration" default:"12h" allow:">0" doc:"Running time of one phase."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"10" allow:">0" doc:"Cost of one phase in US dollars, where prices are known."`
	MaxTokens     int           `key:"max_tokens" default:"15000000" allow:"1.." doc:"Tokens of one phase, sent and received."`
}

// TaskLimits are the budgets of each task.
type TaskLimits struct {
	MaxDispatches int           `key:"max_dispatches" default:"20" allow:"1.." doc:"Agent runs of one task, in all its attempts."`
	MaxDuration   time.Duration `key:"max_duration" default:"6h" allow:">0" doc:"Running time of one task, in all its attempts: agent runs and checks."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"5" allow:">0" doc:"Cost of one task in US dollars, in all its attempts, where prices are known."`
	MaxTokens     int           `key:"max_tokens" default:"8000000" allow:"1.." doc:"Tokens of one task, sent and received, in all its attempts."`
}

// FixRounds are the rounds in which what was found is fixed.
type FixRounds struct {
	Auto int `key:"auto" default:"-1" allow:"-1..3" doc:"How many fix rounds start without asking you, in each phase and in the final review. -1: one, or none with --thorough."`
}

// Verify is what a phase is held against beside its plan.
type Verify struct {
	Blind string `key:"blind" default:"on" allow:"on|off" doc:"Whether to run blind checks before the verifier: checks written from the spec alone, without the plan or the change. With --fast they never run."`
}

// Learnings is how much of them a prompt may hold.
type Learnings struct {
	Budget int `key:"budget" default:"1000" allow:"0.." doc:"How many tokens of a prompt may be learnings, the notes that earlier agents left. 0: none."`
}

// Tasks is how tasks are carried out.
type Tasks struct {
	OnFailure string `key:"on_failure" default:"keep" allow:"keep|rollback" doc:"What happens to the work of a failed attempt before the next one: keep leaves it, rollback returns to where the task began. autopilot tasks run always undoes it."`
}

// Validate names the project's own checks.
type Validate struct {
	Commands Commands `key:"commands" doc:"Commands that must exit with 0: a list of strings, or of {command, dir}. none: run without validation commands; each phase is recorded as not verified. Left out: autopilot finds them in the project's files."`
	Health   string   `key:"health" default:"warning" allow:"warning|fatal" doc:"Whether a failed health check of a service blocks: warning (no, it's only a finding) or fatal (yes). The health checks are in .harness/project_profile.json."`
}

// MCP names servers of the Model Context Protocol.
type MCP struct {
	Servers map[string]MCPServer `key:"servers" allow:"server" doc:"The servers by name. Their tools are called NAME__TOOL."`
}

// MCPServer is a program that offers tools on its standard streams.
type MCPServer struct {
	Command []string      `key:"command" allow:"program" doc:"Program and arguments of the server, run at the root of the working tree."`
	Tier    string        `key:"tier" allow:"read|write|destructive" doc:"The most that its tools may do. Tools of tier read are for every persona, others for the executor only. Left out: destructive."`
	Tools   []string      `key:"tools" allow:"text" doc:"The tools to use, by the server's names for them. Left out: all."`
	Env     []string      `key:"env" allow:"variable" doc:"Variables with secrets to pass to the server. It always gets the rest of the environment."`
	Timeout time.Duration `key:"timeout" allow:">0" doc:"The longest that one tool call may take. Left out: 2m."`
}

// Integrity is how the program looks for work that takes force from the tests.
type Integrity struct {
	OldTests string `key:"old_tests" default:"on" allow:"on|announced|off" doc:"When a task changes tests, whether to run the old tests on the new code too, in a separate worktree: on, announced (unless the plan says that it changes these tests) or off."`
}

// Git is what belongs to git.
type Git struct {
	Keep []string `key:"keep" allow:"text" doc:"What agents and checks may change in git's setup; every other change is undone. Name configuration keys such as core.hooksPath or filter.lfs.*, and files in .git such as hooks/post-commit."`
}

// Worktree is how a new worktree is made ready.
type Worktree struct {
	Setup string   `key:"setup" doc:"A command to run in each new worktree, such as one that installs dependencies. Empty: .harness/init.sh, if it exists."`
	Copy  []string `key:"copy" allow:"inside" doc:"Gitignored paths to copy into each new worktree, relative to the repository root."`
}

// UI is how a run is shown.
type UI struct {
	Accessible bool `key:"accessible" default:"false" doc:"Print plain lines, with words instead of symbols, for a screen reader."`
}

// Notify is how a person is told what happens while they are away.
type Notify struct {
	On       []string      `key:"on" default:"[question, done, stopped]" allow:"question|done|stopped|limit|budget" doc:"When to notify you: question (a question is open), done (the session is done), stopped (the run stopped, but not by Ctrl-C), limit (the run waits more than 10 minutes for a rate limit), budget (80 % of a budget is used)."`
	Terminal string        `key:"terminal" default:"auto" allow:"auto|bell|off" doc:"At the terminal: auto (a notification if the terminal shows them, else the bell), bell or off."`
	Desktop  string        `key:"desktop" default:"auto" allow:"auto|off" doc:"On the desktop: auto (with notify-send, osascript or PowerShell; not over SSH) or off."`
	Remind   time.Duration `key:"remind" default:"2h" allow:"0.." doc:"How often to repeat an open question while a run waits for the answer. 0: never."`
	Command  []string      `key:"command" allow:"program" doc:"Program and arguments, run at the root of the repository for at most 10 seconds, with the notice as JSON on standard input."`
	Webhooks Webhooks      `key:"webhooks" doc:"Addresses to send each notice to: a list of {url or url_env, secret_env, format}. format: slack or ntfy; left out: JSON, signed with the secret."`
	Detail   bool          `key:"detail" default:"false" doc:"Whether notices include what agents said, such as the reason for a question."`
}
