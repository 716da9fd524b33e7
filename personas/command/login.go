package command

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
)

// LogIn is what can be known, without a model being asked, of how a program
// gets at one.
type LogIn struct {
	State LogInState
	By    string // what it logs in with: a variable, a file; "" unless State is LoggedIn
}

// LogInState is whether a program is logged in.
type LogInState string

// The states of a log-in. LogInUnknown is one that may be in a place where nobody looked, such as a key ring.
const (
	LoggedIn     LogInState = "logged_in"
	LoggedOut    LogInState = "logged_out"
	LogInUnknown LogInState = "unknown"
)

// logIn is where a program keeps what it logs in with.
type logIn struct {
	variables []string // besides the preset's credentials; those without a value count as well as keys do
	files     []place
	dotEnv    string   // the folder below the home and the working tree with a .env that the program reads; "": none
	elsewhere []place  // settings by which it may log in another way
	asks      []string // arguments with which the program tells by itself; nil: it cannot, or is slow
	says      string   // what it says when it is not logged in
	remedy    string
}

// place is a file, and what in it tells; "": any text that could be a secret.
type place struct {
	variable, folder string // the folder is what the variable names, else this one below the home
	file             string
	word             string
}

// logIns are by the presets' names.
var logIns = map[string]logIn{
	"claude": {
		variables: []string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"},
		files:     []place{{"CLAUDE_CONFIG_DIR", ".claude", ".credentials.json", ""}, {"CLAUDE_CONFIG_DIR", ".claude", "settings.json", "apiKeyHelper"}},
		asks:      []string{"auth", "status", "--json"}, says: `"loggedIn": false`,
		remedy: "Log in: claude auth login. Or set ANTHROPIC_API_KEY.",
	},
	"codex": {
		files:     []place{{"CODEX_HOME", ".codex", "auth.json", ""}},
		elsewhere: []place{{"CODEX_HOME", ".codex", "config.toml", "model_provider"}},
		asks:      []string{"login", "status"}, says: "Not logged in",
		remedy: "Log in: codex login. Or set CODEX_API_KEY.",
	},
	"opencode": {
		files: []place{{"XDG_DATA_HOME", ".local/share", "opencode/auth.json", ""}},
		variables: []string{
			"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY",
			"DEEPSEEK_API_KEY", "MISTRAL_API_KEY", "OPENCODE_API_KEY", "OPENCODE_CONFIG_CONTENT",
		},
		elsewhere: []place{{"XDG_CONFIG_HOME", ".config", "opencode/opencode.json", "provider"}},
		remedy:    "Log in: opencode auth login. Or set the variable of your provider's key.",
	},
	"gemini": {
		variables: []string{"GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"},
		files:     []place{{"GEMINI_CLI_HOME", "", ".gemini/oauth_creds.json", ""}, {"GEMINI_CLI_HOME", "", ".gemini/gemini-credentials.json", ""}},
		dotEnv:    ".gemini", elsewhere: []place{{"GEMINI_CLI_HOME", "", ".gemini/settings.json", "selectedType"}},
		remedy: "Log in: start gemini once. Or set GEMINI_API_KEY.",
	},
	"qwen": {
		files:  []place{{"", ".qwen", "oauth_creds.json", ""}, {"", ".qwen", "settings.json", "apiKey"}},
		dotEnv: ".qwen", elsewhere: []place{{"", ".qwen", "settings.json", "selectedType"}},
		remedy: "Log in: start qwen once. Or set OPENAI_API_KEY.",
	},
}

// logInTime is how long a program may take to tell whether it is logged in.
const logInTime = 10 * time.Second

// LogIn looks for what the program logs in with: its variables and files, and
// where there are none, what it says itself. Nothing is read out of them, and
// no model is asked. Without a preset nothing is known. The program is started in
// the folder away: what the working tree dir has for it need not be trusted.
func (b *Backend) LogIn(ctx context.Context, dir, away string) LogIn {
	if b.o.Preset == nil {
		return LogIn{State: LogInUnknown}
	}
	known := logIns[b.o.Preset.Name]
	env := b.environ(call{}, nil)
	found := LogIn{State: LoggedIn, By: b.o.KeyEnv}
	if found.By == "" {
		found.By = known.by(b.o.Preset.credentials, env, dir)
	}
	switch {
	case found.By != "":
	case slices.ContainsFunc(known.elsewhere, func(p place) bool { return p.tells(env) }):
		found.State = LogInUnknown
	case known.asks != nil && b.o.Speaker == nil: // another form has other arguments
		found.State, found.By = b.askLogIn(ctx, away, known)
	default:
		found.State = LogInUnknown
	}
	return found
}

// Remedy says how a person logs in; "" of a program that is not known.
func (b *Backend) Remedy() string {
	if b.o.Preset == nil {
		return ""
	}
	return logIns[b.o.Preset.Name].remedy
}

// by is the first of what a program logs in with that is there.
func (l logIn) by(credentials, env []string, dir string) string {
	for _, name := range slices.Concat(credentials, l.variables) {
		if valueOf(env, name) != "" {
			return name
		}
	}
	for _, p := range l.files {
		if p.tells(env) {
			return p.path(env)
		}
	}
	if l.dotEnv == "" {
		return ""
	}
	for _, folder := range []string{filepath.Join(dir, l.dotEnv), dir, filepath.Join(home(env), l.dotEnv), home(env)} {
		file := filepath.Join(folder, ".env")
		if text, err := os.ReadFile(file); err == nil && slices.ContainsFunc(credentials, func(name string) bool { return strings.Contains(string(text), name+"=") }) {
			return file
		}
	}
	return ""
}

// askLogIn has the program tell. What it says otherwise than expected tells nothing.
func (b *Backend) askLogIn(ctx context.Context, dir string, known logIn) (LogInState, string) {
	said := &tail.Writer{Limit: maxNoise}
	result, err := process.Run(ctx, process.Command{
		Argv: append([]string{b.program()}, known.asks...), Dir: dir, Env: b.environ(call{}, nil), Output: said, Timeout: logInTime,
	})
	switch {
	case err != nil || result.TimedOut != process.NoLimit:
		return LogInUnknown, ""
	case result.ExitCode == 0:
		return LoggedIn, strings.Join(append([]string{b.o.Preset.Program}, known.asks...), " ")
	case strings.Contains(said.String(), known.says):
		return LoggedOut, ""
	}
	return LogInUnknown, ""
}

func home(env []string) string { return cmp.Or(valueOf(env, "HOME"), valueOf(env, "USERPROFILE")) }

func (p place) path(env []string) string {
	return filepath.Join(cmp.Or(valueOf(env, p.variable), filepath.Join(home(env), p.folder)), filepath.FromSlash(p.file))
}

// tells says whether the file is there and holds what it should.
func (p place) tells(env []string) bool {
	text, err := os.ReadFile(p.path(env))
	if err != nil {
		return false
	}
	if p.word != "" {
		return strings.Contains(string(text), p.word)
	}
	var content any
	if json.Unmarshal(text, &content) != nil {
		return len(text) >= leastSecret // it is encrypted
	}
	return holdsSecret(content)
}

// leastSecret is how long a secret is at least, in bytes.
const leastSecret = 8

// holdsSecret says whether there is a text anywhere that is long enough for a secret.
func holdsSecret(content any) bool {
	switch content := content.(type) {
	case string:
		return len(content) >= leastSecret
	case []any:
		return slices.ContainsFunc(content, holdsSecret)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(content)), holdsSecret)
	}
	return false
}
