package agent

import (
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// assumedWindow is taken for a model whose window is not known, in tokens. It is that of most models by now; where it is
// too much, the server's refusal corrects it.
const assumedWindow = 128_000

// windows are the context windows of known models, in tokens, by the beginning
// of their names; the longest beginning that fits decides. They are what the
// providers' model pages state, and where variants differ the smallest.
var windows = map[string]int{
	"gpt-5":               272_000, // input alone
	"gpt-5-chat":          128_000,
	"gpt-5.1-chat":        128_000,
	"gpt-5.2-chat":        128_000,
	"gpt-5.3-chat":        128_000,
	"gpt-5.3-codex-spark": 128_000,
	"gpt-4.1":             1_047_576,
	"gpt-4o":              128_000,
	"gpt-4-turbo":         128_000,
	"gpt-4":               8_192,
	"gpt-3.5-turbo":       16_385,
	"o1":                  128_000,
	"o3":                  200_000,
	"o4-mini":             200_000,
	"claude-":             200_000,
	"claude-2":            100_000,
	"claude-instant":      100_000,
	"gemini-2":            1_048_576,
	"gemini-3":            1_048_576,
	"deepseek-chat":       64_000,
	"deepseek-reasoner":   64_000,
	"mistral-large":       128_000,
	"mistral-large-2402":  32_000,
	"mistral-medium":      128_000,
	"mistral-medium-2312": 32_000,
	"codestral":           32_000,
	"grok-3":              131_072,
	"grok-4":              256_000,
	"glm-4.5":             128_000,
	"glm-4.5v":            64_000,
	"glm-4.6":             200_000,
	"kimi-k2":             128_000,
}

// toldWindow is how servers name the window that a request is too long for.
var toldWindow = lazyregexp.New(`(?i)(?:context (?:length|window|size)|number of tokens allowed)(?: is| of)?(?: only)? ?\(?(\d{3,8})\b|> (\d{3,8}) maximum|(\d{3,8}) maximum context length|must be <= (\d{3,8})`)

// windowIn finds the window in what a server says of a request that is too long; 0: it does not say.
func windowIn(detail string) int {
	m := toldWindow.FindStringSubmatch(detail)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.Join(m[1:], "")) // one of them has digits
	return n
}

// WindowOf is the context window of a model by its name, in tokens; 0: not
// known. A gateway's "vendor/" before the name is looked past. A model of a
// local server is not known by its name: how long a conversation may be is set
// where the server is started.
func WindowOf(model string) int {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	best, window := "", 0
	if strings.ContainsRune(model, ':') {
		return 0
	}
	for name, n := range windows {
		if strings.HasPrefix(model, name) && len(name) > len(best) {
			best, window = name, n
		}
	}
	return window
}
