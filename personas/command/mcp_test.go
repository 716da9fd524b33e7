//go:build unix

package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

// mcpServers are servers that each program is to be told of.
var mcpServers = []personas.MCPServer{
	{Name: "docs", Command: []string{"docs-server", "--all", "a b"}, Tier: personas.TierRead, Env: []string{"DOCS_TOKEN"}, Tools: []string{"look", "list"}, Timeout: 1500 * time.Millisecond},
	{Name: "shell", Command: []string{"shell-server"}, Tier: personas.TierDestructive},
}

var mcpEnviron = []string{"DOCS_TOKEN=value-of-the-token", "OTHER_TOKEN=value-of-another"}

func TestServersAreHandedToEachProgramInItsForm(t *testing.T) {
	for preset, want := range map[string][]string{
		"claude": {
			`--mcp-config {"mcpServers":{"docs":{"args":["--all","a b"],"command":"docs-server","env":{"DOCS_TOKEN":"${DOCS_TOKEN}"},"type":"stdio"}}}`,
			"--allowedTools mcp__docs__look mcp__docs__list --permission-mode",
		},
		"codex": {
			`-c mcp_servers.docs.command="docs-server"`, `-c mcp_servers.docs.args=["--all","a b"]`, `-c mcp_servers.docs.env_vars=["DOCS_TOKEN"]`,
			`-c mcp_servers.docs.enabled_tools=["look","list"]`, `-c mcp_servers.docs.tool_timeout_sec=2`, `-c mcp_servers.docs.default_tools_approval_mode="approve"`,
		},
		"opencode": {
			`"mcp":{"docs":{"command":["docs-server","--all","a b"],"enabled":true,"environment":{"DOCS_TOKEN":"{env:DOCS_TOKEN}"},"type":"local"}}`,
			`"tools":{"docs_*":false,"docs_list":true,"docs_look":true}`,
		},
		"gemini": {`"mcpServers":{"docs":{"args":["--all","a b"],"command":"docs-server","env":{"DOCS_TOKEN":"${DOCS_TOKEN}"},"includeTools":["look","list"],"timeout":1500,"trust":true}}`},
		"qwen":   {`"mcpServers":{"docs":{"args":["--all","a b"],"command":"docs-server","env":{"DOCS_TOKEN":"${DOCS_TOKEN}"},"includeTools":["look","list"],"timeout":1500,"trust":true}}`},
	} {
		p, _ := PresetOf(preset)
		told := func(persona string, servers []personas.MCPServer) (all string, environ []string) {
			b := New(Options{Preset: &p, Environ: mcpEnviron, MCP: servers, BaseURL: "http://127.0.0.1:4010", Model: "m1"})
			c := b.call(tiers[persona])
			environ = b.environ(c, nil)
			all = strings.Join(append(b.argv(c, "", ""), environ...), " ")
			if p.settings != nil {
				text := p.settings(c)
				if !json.Valid([]byte(text)) {
					t.Errorf("%s: the settings are no JSON: %s", preset, text)
				}
				all += text
			}
			return all, environ
		}
		all, environ := told("reviewer", mcpServers)
		for _, part := range want {
			if !strings.Contains(all, part) {
				t.Errorf("%s lacks %s: %s", preset, part, all)
			}
		}
		if strings.Contains(all, "shell-server") || strings.Contains(all, "value-of-another") || strings.Count(all, "value-of-the-token") != 1 || !slices.Contains(environ, mcpEnviron[0]) {
			t.Errorf("%s as reviewer is told too much or too little: %s", preset, all)
		}
		if all, _ = told("executor", mcpServers); !strings.Contains(all, "shell-server") {
			t.Errorf("%s as executor gets no shell-server: %s", preset, all)
		}
		if all, _ = told("executor", nil); strings.Contains(strings.ToLower(all), "mcp") || strings.Contains(all, "value-of-the-token") {
			t.Errorf("%s is told of servers where there are none: %s", preset, all)
		}
	}
}

func TestServersAreWrittenToTheDispatchAndNowhereElse(t *testing.T) {
	d := world(t)
	d.AttemptDir, d.Persona = t.TempDir(), tiers["reviewer"]
	home := t.TempDir()
	script := `cp "$GEMINI_CLI_HOME/.gemini/settings.json" "` + filepath.Join(d.AttemptDir, "seen") + `"; echo "$DOCS_TOKEN"; echo '` + done + `' > "$AUTOPILOT_REPLY"`
	b := New(Options{Preset: &gemini, Argv: []string{fake(t, script)}, BaseURL: "http://127.0.0.1:4010", MCP: mcpServers, Environ: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, mcpEnviron...)})
	wantKind(t, play(t, b, d), personas.GotReply)
	if seen := read(t, d.AttemptDir, "seen"); !strings.Contains(seen, `"mcpServers":{"docs"`) {
		t.Errorf("the settings are %s", seen)
	}
	if log := read(t, d.AttemptDir, "output.log"); strings.Contains(log, "value-of-the-token") {
		t.Errorf("the record holds a secret: %s", log)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("in the home are %v, %v", left, err)
	}
}

func TestProgramThatGetsNoServersSaysWhy(t *testing.T) {
	claude, _ := PresetOf("claude")
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"a program":   {Options{Argv: []string{"agent"}}, "nothing is known of its program"},
		"a preset":    {Options{Preset: &claude}, ""},
		"a protocol":  {Options{Argv: []string{"agent"}, Speaker: func() Speaker { return nil }}, ""},
		"with server": {Options{Preset: &gemini, BaseURL: "http://127.0.0.1:4010"}, ""},
	} {
		if why, remedy := New(c.o).WithoutMCP(); why != c.want || (remedy == "") != (why == "") {
			t.Errorf("%s: %q, and to do: %q, want %q", name, why, remedy, c.want)
		}
	}
}
