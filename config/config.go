package config

import "time"

// Config is what a run is to do and how far it may go. The tags are the one
// place where a key is described: key is its name in a file, default its value
// where no layer gives one, allow the rule its value is held to (see rules.go),
// doc what people read about it.
type Config struct {
	Rigor       string `key:"rigor" default:"standard" allow:"fast|standard|thorough" doc:"How much is checked and asked. Fixed when a session starts. AUTOPILOT_RIGOR is what a dispatch is told, and does not set it."`
	ReviewPlans bool   `key:"review_plans" default:"false" doc:"Ask before each plan is carried out, whatever its signals say. Fixed when a session starts."`

	Backend  string             `key:"backend" default:"auto" allow:"text" doc:"The backend of every persona: a name under backends, that of a known server or agent program, or auto for the first that is there."`
	Model    string             `key:"model" doc:"The model that the backends use. Empty: the backend's own."`
	Backends map[string]Backend `key:"backends" allow:"name" doc:"Backends by the name that backend refers to. Upper and lower case differ."`
	Prices   map[string]Price   `key:"prices" allow:"model" doc:"What models cost, by name, without a router's prefix and a slash. It wins over the built-in list."`
	Personas map[string]Persona `key:"personas" allow:"planner|executor|verifier|reviewer" doc:"What differs for one persona."`

	Retries  int      `key:"retries" default:"3" allow:"0..10" doc:"Further attempts at a task whose first one failed."`
	Parallel int      `key:"parallel" default:"1" allow:"1.." doc:"Tasks that may be at work at the same time, each in a working tree of its own."`
	Turns    int      `key:"turns" default:"200" allow:"1.." doc:"Model calls of the built-in agent in one dispatch."`
	Timeouts Timeouts `key:"timeouts" doc:"How long one thing may take."`

	Limits     Limits    `key:"limits" doc:"How much the whole session may use. A session that reaches one stops, and goes on once it is raised."`
	PauseEvery int       `key:"pause_every" default:"0" allow:"0.." doc:"Ask a human after this many dispatches, before the next one. 0: never."`
	Learnings  Learnings `key:"learnings" doc:"What earlier work taught."`
	Tasks      Tasks     `key:"tasks" doc:"How tasks are carried out."`
	Fix        FixRounds `key:"fix" doc:"How findings are fixed."`
	Verify     Verify    `key:"verify" doc:"What a phase is held against beside its plan."`
	Validate   Validate  `key:"validate" doc:"How the program checks the work by itself."`
	Integrity  Integrity `key:"integrity" doc:"How the program looks for work that takes force from the tests."`
	MCP        MCP       `key:"mcp" doc:"Servers of the Model Context Protocol, whose tools agents may use."`
	Worktree   Worktree  `key:"worktree" doc:"What a new worktree gets before anything runs in it."`
	Git        Git       `key:"git" doc:"What belongs to git."`
	Notify     Notify    `key:"notify" doc:"How you are told what happens while you are away."`

	fromRepository map[string]Origin // of the keys that a file of the repository sets, by id
}

// Backend is one way to run a persona. A field that its type does not use
// stays at its zero value.
type Backend struct {
	Type        string            `key:"type" allow:"openai|replay|command|acp|manual" doc:"How the persona is run: openai (any compatible server), replay (recorded turns), command (a program), acp (a program that speaks the Agent Client Protocol), manual (a person)."`
	Preset      string            `key:"preset" allow:"text" doc:"A known server or agent program, whose settings are filled in; type may then be left out. See the manual on backends."`
	BaseURL     string            `key:"base_url" allow:"url" doc:"Address of the server, such as http://127.0.0.1:8080/v1."`
	Model       string            `key:"model" allow:"text" doc:"The model. It wins over the model key at the top."`
	APIKeyEnv   string            `key:"api_key_env" allow:"variable" doc:"Name of the environment variable that holds the API key. The key itself never stands in a file."`
	Interactive []string          `key:"interactive" allow:"program" doc:"The program's own interactive mode, for autopilot plan --interactive; {prompt_file} is filled in."`
	Command     []string          `key:"command" allow:"program" doc:"Program and arguments, run at the root of the working tree. {prompt_file}, {reply_file}, {model} and {agent} in them are filled in. With a preset: where its program lies, and further arguments."`
	Agent       string            `key:"agent" allow:"text" doc:"The program's own agent that is to work, of claude and opencode, or what {agent} in command stands for."`
	Window      int               `key:"window" allow:"1000.." doc:"Tokens that the model can hold. Left out: what its server says, else those of a known model, else 128000."`
	File        string            `key:"file" allow:"text" doc:"Replay file, relative to the repository root."`
	Effort      string            `key:"effort" allow:"none|minimal|low|medium|high|xhigh|max" doc:"How long a reasoning model thinks, where it takes such a wish. Left out: its own default."`
	Tools       string            `key:"tools" allow:"api|text" doc:"How the model calls tools: api (as the server's tool calling has it) or text (in what it says, for models without tool calling). Left out: api."`
	Stream      *bool             `key:"stream" doc:"Whether answers are streamed. Left out: as the server does best."`
	Sandbox     string            `key:"sandbox" allow:"off|auto|required" doc:"Whether the built-in agent's commands are confined to the working tree by bubblewrap: off, auto (where it works) or required. Left out: off."`
	Network     *bool             `key:"network" doc:"Whether the built-in agent's commands may use the network. false needs a sandbox. Left out: true."`
	Env         map[string]string `key:"env" allow:"variable" doc:"Variables that the program gets besides the environment."`
	PassEnv     []string          `key:"pass_env" allow:"variable" doc:"Variables with secrets, such as GITHUB_TOKEN, that the program of a preset, or a command of the built-in agent, gets all the same. A program's own credentials it gets anyway."`
}

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	Input  float64 `key:"input" allow:"0.." doc:"US dollars for a million tokens sent."`
	Cached float64 `key:"cached" allow:"0.." doc:"The same for those that the provider had cached. 0: as input."`
	Output float64 `key:"output" allow:"0.." doc:"US dollars for a million tokens received."`
}

// Persona is what one persona does differently from the rest. An empty field
// changes nothing.
type Persona struct {
	Backend  string   `key:"backend" allow:"text" doc:"Backend of this persona; the names are those of the backend key at the top."`
	Model    string   `key:"model" allow:"text" doc:"Model of this persona. It wins over that of the backend."`
	Fallback []string `key:"fallback" allow:"text" doc:"Backends that take over, in this order, while the one before reports a limit."`
	Agent    string   `key:"agent" allow:"text" doc:"The agent program's own agent that plays this persona. It wins over that of the backend."`
}

// Timeouts are limits for one dispatch, command or hook.
type Timeouts struct {
	Idle       time.Duration `key:"idle" default:"10m" allow:">0" doc:"A dispatch that gives no sign of life for so long is ended."`
	Dispatch   time.Duration `key:"dispatch" default:"60m" allow:">0" doc:"The longest that one dispatch may take."`
	Validation time.Duration `key:"validation" default:"0" allow:"0.." doc:"The longest that one validation command may take. 0: ten minutes or three times what it took in the baseline, whichever is more."`
	Hook       time.Duration `key:"hook" default:"10m" allow:">0" doc:"The longest that a git hook of the repository may take."`
}

// Limits are the budgets of a session, counted over all its runs.
type Limits struct {
	MaxDispatches int           `key:"max_dispatches" default:"200" allow:"1.." doc:"Dispatches."`
	MaxDuration   time.Duration `key:"max_duration" default:"24h" allow:">0" doc:"Time spent running."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"20" allow:">0" doc:"Cost in US dollars, where the price is known."`
	MaxTokens     int           `key:"max_tokens" default:"20000000" allow:"1.." doc:"Tokens, sent and received."`
	Phase         PhaseLimits   `key:"phase" doc:"How much each phase, and the final review, may use."`
	Task          TaskLimits    `key:"task" doc:"How much each task may use, with all its attempts."`
	Wait          string        `key:"wait" default:"auto" allow:"wait" doc:"Whether a limit of the backend is waited out: auto (up to 6 hours), never, or the longest wait, such as 30m."`
}

// PhaseLimits are the budgets of each phase, and of the final review.
type PhaseLimits struct {
	MaxDispatches int           `key:"max_dispatches" default:"100" allow:"1.." doc:"Dispatches for one phase; the final review counts as one."`
	MaxDuration   time.Duration `key:"max_duration" default:"12h" allow:">0" doc:"Time spent running for one phase."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"10" allow:">0" doc:"Cost of one phase in US dollars, where the price is known."`
	MaxTokens     int           `key:"max_tokens" default:"15000000" allow:"1.." doc:"Tokens for one phase, sent and received."`
}

// TaskLimits are the budgets of each task.
type TaskLimits struct {
	MaxDispatches int           `key:"max_dispatches" default:"20" allow:"1.." doc:"Dispatches for one task, over all its attempts."`
	MaxDuration   time.Duration `key:"max_duration" default:"6h" allow:">0" doc:"Time that the dispatches and the checks of one task take."`
	MaxCostUSD    float64       `key:"max_cost_usd" default:"5" allow:">0" doc:"Cost of one task in US dollars, where the price is known."`
	MaxTokens     int           `key:"max_tokens" default:"8000000" allow:"1.." doc:"Tokens for one task, sent and received."`
}

// FixRounds are the rounds in which what was found is fixed.
type FixRounds struct {
	Auto int `key:"auto" default:"-1" allow:"-1..3" doc:"Rounds without asking, for a phase and for the final review. -1: one at fast and standard, none at thorough."`
}

// Verify is what a phase is held against beside its plan.
type Verify struct {
	Blind string `key:"blind" default:"on" allow:"on|off" doc:"Blind checks before the verifier, written from the spec without the plan or the change: on or off. Never at fast."`
}

// Learnings is how much of them a prompt may hold.
type Learnings struct {
	Budget int `key:"budget" default:"1000" allow:"0.." doc:"Tokens of a prompt that learnings may take. 0: none are given."`
}

// Tasks is how tasks are carried out.
type Tasks struct {
	OnFailure string `key:"on_failure" default:"keep" allow:"keep|rollback" doc:"What becomes of the work between two attempts: keep leaves it, rollback resets to where the task began."`
}

// Validate names the project's own checks.
type Validate struct {
	Commands Commands `key:"commands" doc:"Commands that must exit with 0: a list of texts, or of {command, dir}. none: go on unverified, which is recorded each time. Left out: they are found from the project's files."`
	Health   string   `key:"health" default:"warning" allow:"warning|fatal" doc:"What a failed health check of a service does: warning is a finding that blocks nothing, fatal one that does. The health checks stand in .harness/project_profile.json."`
}

// MCP names servers of the Model Context Protocol.
type MCP struct {
	Servers map[string]MCPServer `key:"servers" allow:"server" doc:"The servers by name. The tools of one are called NAME__TOOL."`
}

// MCPServer is a program that offers tools on its standard streams.
type MCPServer struct {
	Command []string      `key:"command" allow:"program" doc:"Program and arguments of the server, run at the root of the working tree."`
	Tier    string        `key:"tier" allow:"read|write|destructive" doc:"What its tools may do at worst. Those of tier read go to every persona, others to the executor alone. Left out: destructive."`
	Tools   []string      `key:"tools" allow:"text" doc:"The tools that are wanted, by the server's own names. Left out: all."`
	Env     []string      `key:"env" allow:"variable" doc:"Variables with secrets that the server gets all the same. The others of the environment it gets anyway."`
	Timeout time.Duration `key:"timeout" allow:">0" doc:"The longest that one call of a tool may take. Left out: 2m."`
}

// Integrity is how the program looks for work that takes force from the tests.
type Integrity struct {
	OldTests string `key:"old_tests" default:"on" allow:"on|announced|off" doc:"Whether, where a task changed what judges, the tests of before are run on the code of now, in a working tree of its own: on, announced (not where the plan announces the change) or off."`
}

// Git is what belongs to git.
type Git struct {
	Keep []string `key:"keep" allow:"text" doc:"What agents and checks may change of what steers git and is else put back: keys of its configuration such as core.hooksPath or filter.lfs.*, and files below .git such as hooks/post-commit."`
}

// Worktree is how a new worktree is made ready.
type Worktree struct {
	Setup string   `key:"setup" doc:"A command that is run in it, such as the one that installs dependencies. Empty: init.sh, where there is one."`
	Copy  []string `key:"copy" allow:"inside" doc:"Ignored paths that are copied into it, relative to the repository root."`
}

// Notify is how a person is told what happens while they are away.
type Notify struct {
	On       []string      `key:"on" default:"[question, done, stopped]" allow:"question|done|stopped|limit|budget" doc:"What you are told: a question is open, the session is done, the run stopped (not by Ctrl-C), it waits more than 10 minutes for a limit, 80 % of a budget are used."`
	Terminal string        `key:"terminal" default:"auto" allow:"auto|bell|off" doc:"At the terminal: auto (a notification where the terminal is known to show them, else the bell), bell or off."`
	Desktop  string        `key:"desktop" default:"auto" allow:"auto|off" doc:"On the desktop: auto (by notify-send, osascript or PowerShell; not over SSH) or off."`
	Remind   time.Duration `key:"remind" default:"2h" allow:"0.." doc:"How often an open question is repeated while a run waits for its answer. 0: never."`
	Command  []string      `key:"command" allow:"program" doc:"Program and arguments, run at the root of the repository with the notice as JSON on its standard input, for up to 10 seconds."`
	Webhooks Webhooks      `key:"webhooks" doc:"Addresses that get each notice: a list of {url or url_env, secret_env, format}. format: slack or ntfy; left out: JSON, signed with the secret."`
	Detail   bool          `key:"detail" default:"false" doc:"Whether notices also hold what agents said, such as the reason of a question."`
}
