package config

import "time"

// Config is what a run is to do and how far it may go. The tags are the one
// place where a key is described: key is its name in a file, default its value
// where no layer gives one, allow the rule its value is held to (see rules.go),
// doc what people read about it. A key with later is read and not acted on yet:
// it is left out of what people read, and whoever sets it is warned.
type Config struct {
	Rigor       string `key:"rigor" default:"standard" allow:"fast|standard|thorough" doc:"How much is checked and asked. Fixed when a session starts. AUTOPILOT_RIGOR is what a dispatch is told, and does not set it."`
	ReviewPlans bool   `key:"review_plans" default:"false" doc:"Ask before each plan is carried out, whatever its signals say. Fixed when a session starts."`

	Backend  string             `key:"backend" default:"auto" allow:"text" doc:"The backend of every persona: a name under backends, a built-in one (openai, replay), or auto for the first that is there."`
	Model    string             `key:"model" doc:"The model that the backends use. Empty: the backend's own."`
	Backends map[string]Backend `key:"backends" allow:"name" doc:"Backends by the name that backend refers to. Upper and lower case differ."`
	Personas map[string]Persona `key:"personas" allow:"planner|executor|verifier|reviewer" doc:"What differs for one persona."`

	Retries  int      `key:"retries" default:"3" allow:"0..10" doc:"Further attempts at a task whose first one failed."`
	Parallel int      `key:"parallel" default:"1" allow:"1.." doc:"Tasks that may be at work at the same time, each in a working tree of its own."`
	Turns    int      `key:"turns" default:"200" allow:"1.." doc:"Model calls of the built-in agent in one dispatch."`
	Timeouts Timeouts `key:"timeouts" doc:"How long one thing may take."`

	Limits     Limits    `key:"limits" doc:"How much the whole session may use. A session that reaches one stops, and goes on once it is raised."`
	PauseEvery int       `key:"pause_every" default:"0" allow:"0.." doc:"Ask a human after this many dispatches, before the next one. 0: never."`
	Learnings  Learnings `key:"learnings" doc:"What earlier work taught."`
	Tasks      Tasks     `key:"tasks" doc:"How tasks are carried out."`
	Validate   Validate  `key:"validate" doc:"How the program checks the work by itself."`
	Worktree   Worktree  `key:"worktree" doc:"What a new worktree gets before anything runs in it."`
}

// Backend is one way to run a persona. A field that its type does not use
// stays at its zero value.
type Backend struct {
	Type        string            `key:"type" allow:"openai|replay|command|acp|manual" doc:"How the persona is run: openai (any compatible server), replay (recorded turns), command (a program), manual (a person). acp (an Agent Client Protocol program) is not supported yet."`
	Preset      string            `key:"preset" later:"yes" allow:"text" doc:"A known server or agent program, whose settings are filled in."`
	BaseURL     string            `key:"base_url" allow:"url" doc:"Address of the server, such as http://127.0.0.1:8080/v1."`
	Model       string            `key:"model" allow:"text" doc:"The model. It wins over the model key at the top."`
	APIKeyEnv   string            `key:"api_key_env" allow:"variable" doc:"Name of the environment variable that holds the API key. The key itself never stands in a file."`
	Interactive []string          `key:"interactive" allow:"program" doc:"The program's own interactive mode, for autopilot plan --interactive; {prompt_file} is filled in."`
	Command     []string          `key:"command" allow:"program" doc:"Program and arguments, run at the root of the working tree. {prompt_file}, {reply_file} and {model} in them are filled in."`
	File        string            `key:"file" allow:"text" doc:"Replay file, relative to the repository root."`
	Stream      *bool             `key:"stream" doc:"Whether answers are streamed. Left out: as the server does best."`
	Env         map[string]string `key:"env" allow:"variable" doc:"Variables that the program gets besides the environment."`
}

// Persona is what one persona does differently from the rest. An empty field
// changes nothing.
type Persona struct {
	Backend string `key:"backend" allow:"text" doc:"Backend of this persona; the names are those of the backend key at the top."`
	Model   string `key:"model" allow:"text" doc:"Model of this persona. It wins over that of the backend."`
	Agent   string `key:"agent" later:"yes" allow:"text" doc:"The agent program's own agent that plays this persona."`
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
	MaxCostUSD    float64       `key:"max_cost_usd" later:"yes" default:"20" allow:">0" doc:"Cost in US dollars, where the price is known."`
	MaxTokens     int           `key:"max_tokens" later:"yes" default:"20000000" allow:"1.." doc:"Tokens, sent and received."`
	Wait          string        `key:"wait" later:"yes" default:"auto" allow:"wait" doc:"Whether a rate limit is waited out: auto, never, or the longest wait, such as 30m."`
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

// Worktree is how a new worktree is made ready.
type Worktree struct {
	Setup string   `key:"setup" doc:"A command that is run in it, such as the one that installs dependencies. Empty: init.sh, where there is one."`
	Copy  []string `key:"copy" allow:"inside" doc:"Ignored paths that are copied into it, relative to the repository root."`
}
