//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogInIsFoundWithoutAskingAModel(t *testing.T) {
	const token = `{"deep":{"access_token":"abcdefgh-1234"}}`
	for _, c := range []struct {
		preset, env, file, text string
		script                  string // of the program; "": it must not be asked
		want                    LogInState
		by                      string
	}{
		{"claude", "ANTHROPIC_API_KEY=abc", "", "", "", LoggedIn, "ANTHROPIC_API_KEY"},
		{"claude", "CLAUDE_CODE_USE_BEDROCK=1", "", "", "", LoggedIn, "CLAUDE_CODE_USE_BEDROCK"},
		{"claude", "", ".claude/.credentials.json", token, "", LoggedIn, ".credentials.json"},
		{"claude", "CLAUDE_CONFIG_DIR=HOME/other", "other/.credentials.json", token, "", LoggedIn, "other/.credentials.json"},
		{"claude", "", ".claude/settings.json", `{"apiKeyHelper":"/bin/x"}`, "", LoggedIn, "settings.json"},
		{"claude", "", ".claude/settings.json", `{"model":"opus-of-the-day"}`, `echo '{"loggedIn": false}'; exit 1`, LoggedOut, ""},
		{"claude", "", "", "", `echo '{"loggedIn": true}'`, LoggedIn, "claude auth status --json"},
		{"claude", "", "", "", `echo "error: unknown option '--json'"; exit 1`, LogInUnknown, ""},
		{"codex", "CODEX_API_KEY=abc", "", "", "", LoggedIn, "CODEX_API_KEY"},
		{"codex", "", ".codex/auth.json", `{"OPENAI_API_KEY":null,"tokens":{"id_token":"abcdefgh"}}`, "", LoggedIn, "auth.json"},
		{"codex", "CODEX_HOME=HOME/c", "c/auth.json", `{"OPENAI_API_KEY":null,"tokens":null}`, "echo Not logged in; exit 1", LoggedOut, ""},
		{"codex", "", ".codex/config.toml", "model_provider = \"mine\"\n", "", LogInUnknown, ""},
		{"opencode", "XDG_DATA_HOME=HOME/d", "d/opencode/auth.json", `{"groq":{"type":"api","key":"abcdefgh"}}`, "", LoggedIn, "auth.json"},
		{"opencode", "", ".local/share/opencode/auth.json", `{}`, "", LogInUnknown, ""},
		{"opencode", "GROQ_API_KEY=abc", "", "", "", LoggedIn, "GROQ_API_KEY"},
		{"gemini", "GEMINI_API_KEY=abc", "", "", "", LoggedIn, "GEMINI_API_KEY"},
		{"gemini", "", ".gemini/oauth_creds.json", token, "", LoggedIn, "oauth_creds.json"},
		{"gemini", "", ".gemini/gemini-credentials.json", "0a1b2c3d:encrypted", "", LoggedIn, "gemini-credentials.json"},
		{"gemini", "", ".gemini/.env", "GEMINI_API_KEY=abc\n", "", LoggedIn, ".env"},
		{"gemini", "", "tree/.env", "OTHER=abc\n", "", LogInUnknown, ""},
		{"qwen", "", ".qwen/oauth_creds.json", token, "", LoggedIn, "oauth_creds.json"},
		{"qwen", "", "tree/.qwen/.env", "OPENAI_API_KEY=abc\n", "", LoggedIn, ".env"},
		{"qwen", "", "", "", "", LogInUnknown, ""},
	} {
		name := c.preset + " " + c.env + " " + c.file
		home := t.TempDir()
		tree := filepath.Join(home, "tree")
		if err := os.MkdirAll(tree, 0o755); err != nil {
			t.Fatal(err)
		}
		if c.file != "" {
			write(t, filepath.Join(home, c.file), c.text)
		}
		script := c.script
		if script == "" {
			script = "touch " + filepath.Join(home, "was-asked")
		}
		p, _ := PresetOf(c.preset)
		b := New(Options{Preset: &p, Argv: []string{fake(t, script)}, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, strings.Replace(c.env, "HOME/", home+"/", 1)}})
		got := b.LogIn(t.Context(), tree, tree)
		if got.State != c.want || !strings.HasSuffix(got.By, c.by) || c.by == "" && got.By != "" || b.Remedy() == "" {
			t.Errorf("%s: %+v", name, got)
		}
		if _, err := os.Stat(filepath.Join(home, "was-asked")); err == nil {
			t.Errorf("%s: the program was started", name)
		}
	}
}

func TestConfiguredKeyIsTheLogIn(t *testing.T) {
	b := New(Options{Preset: &claude, KeyEnv: "MINE", Environ: []string{"MINE=abc", "HOME=" + t.TempDir()}})
	if got := b.LogIn(t.Context(), t.TempDir(), t.TempDir()); got.State != LoggedIn || got.By != "MINE" {
		t.Errorf("got %+v", got)
	}
	own := New(Options{Argv: []string{"cat"}, Environ: []string{}})
	if got := own.LogIn(t.Context(), t.TempDir(), t.TempDir()); got.State != LogInUnknown || own.Remedy() != "" {
		t.Errorf("of a program that is not known: %+v", got)
	}
}

func TestEachPresetSaysHowToLogIn(t *testing.T) {
	for _, name := range Presets() {
		known, ok := logIns[name]
		if !ok || !strings.Contains(known.remedy, name) || len(known.files) == 0 {
			t.Errorf("%s: %+v", name, known)
		}
	}
}
