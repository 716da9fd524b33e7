//go:build unix

package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProgramGetsNoSecretThatIsNotItsOwn(t *testing.T) {
	all := []string{
		"ANTHROPIC_API_KEY", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CODEX_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "DASHSCOPE_API_KEY", "GROQ_API_KEY",
		"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_PASSWORD", "NAMED_TOKEN", "LANG",
	}
	for preset, want := range map[string]string{
		"claude":   "ANTHROPIC_API_KEY CLAUDE_CODE_MAX_OUTPUT_TOKENS",
		"codex":    "CODEX_API_KEY OPENAI_API_KEY",
		"opencode": "ANTHROPIC_API_KEY CODEX_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY DASHSCOPE_API_KEY GROQ_API_KEY AWS_SECRET_ACCESS_KEY",
		"gemini":   "GEMINI_API_KEY GOOGLE_API_KEY",
		"qwen":     "OPENAI_API_KEY DASHSCOPE_API_KEY",
		"":         strings.Join(all[:11], " "),
	} {
		o := Options{PassEnv: []string{"NAMED_TOKEN"}, Env: map[string]string{"MY_SECRET": "x"}, Argv: []string{"agent"}}
		for _, name := range all {
			o.Environ = append(o.Environ, name+"=of-"+name)
		}
		if p, ok := PresetOf(preset); ok {
			o.Preset = &p
		}
		b := New(o)
		env := b.environ(b.call(tiers["executor"]), nil)
		for _, name := range all {
			gets := slices.Contains(env, name+"=of-"+name)
			if means := slices.Contains(append(strings.Fields(want), "NAMED_TOKEN", "LANG"), name); gets != means {
				t.Errorf("%q gets %s: %v", preset, name, gets)
			}
		}
		if !slices.Contains(env, "MY_SECRET=x") {
			t.Errorf("%q does not get what is configured for it", preset)
		}
	}
}

func TestProgramGetsTheSecretsOfItsCloudAndOfItsOwnSettings(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "codex", "config.toml")
	write(t, file, "[model_providers.mine]\nenv_key = \"MINE_API_KEY\"\nfile = \"$MY_TOKEN_FILE\"\n")
	for _, c := range []struct {
		preset, variable, name string
		want                   bool
	}{
		{"codex", "CODEX_HOME=" + filepath.Join(home, "codex"), "MINE_API_KEY", true},
		{"codex", "CODEX_HOME=" + filepath.Join(home, "codex"), "OTHER_API_KEY", false},
		{"codex", "CODEX_HOME=" + filepath.Join(home, "codex"), "API_KEY", false},
		{"codex", "CODEX_HOME=" + filepath.Join(home, "codex"), "MY_TOKEN", false},
		{"codex", "HOME=" + home, "MINE_API_KEY", false},
		{"claude", "CLAUDE_CODE_USE_BEDROCK=1", "AWS_SESSION_TOKEN", true},
		{"claude", "CLAUDE_CODE_USE_VERTEX=1", "AWS_SESSION_TOKEN", false},
		{"claude", "CLAUDE_CODE_USE_VERTEX=1", "GOOGLE_APPLICATION_CREDENTIALS", true},
	} {
		p, _ := PresetOf(c.preset)
		b := New(Options{Preset: &p, Environ: []string{c.variable, c.name + "=x"}})
		if got := slices.Contains(b.environ(call{}, nil), c.name+"=x"); got != c.want {
			t.Errorf("%s with %s gets %s: %v", c.preset, c.variable, c.name, got)
		}
	}
}

func TestWithheldSecretIsMaskedAllTheSame(t *testing.T) {
	b := New(Options{Preset: &claude, Environ: []string{"GITHUB_TOKEN=abcdefgh-1234"}})
	if got := (&work{b: b}).mask().Replace("it is abcdefgh-1234"); got != "it is [secret]" {
		t.Error(got)
	}
}
