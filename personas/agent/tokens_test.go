package agent

import (
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

func TestTokensAreThoseOfTheModelsTokenizer(t *testing.T) {
	c := counterOf("gpt-4o")
	for text, want := range map[string]int{
		"": 0, "hello world": 2, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 8,
	} {
		if got := c.text(text); got != want || c.text(text) != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
	lines := strings.Repeat("tiktoken is great!\n", 2_000)
	if got := c.text(lines); got < 2_000*6 || got > 2_000*7+50 {
		t.Errorf("2000 lines have %d tokens", got)
	}
}

func TestTokenizersAreKnownByTheModelsName(t *testing.T) {
	for name, want := range map[string]bool{
		"gpt-4o": true, "gpt-4o-mini": true, "openai/gpt-5-nano": true, "gpt-5.2-codex": true, "GPT-4.1-mini": true, "o3": true, "o4-mini-2025": true,
		"gpt-4": false, "gpt-4-turbo": false, "gpt-3.5-turbo": false, "claude-sonnet-4-5": false, "o365-tuned": false, "gpt-50": false, "": false,
	} {
		if (counterOf(name) != nil) != want {
			t.Errorf("%s: known %t, want %t", name, !want, want)
		}
	}
}

func TestTextWithoutBlanksIsCountedInTime(t *testing.T) {
	c := counterOf("gpt-4o")
	c.text("made ready")
	for name, text := range map[string]string{
		"one letter": strings.Repeat("a", 20_000), "blanks": strings.Repeat(" ", 20_000), "no text": strings.Repeat("\xff", 8_000), "wide": strings.Repeat("語", 8_000),
	} {
		begun := time.Now()
		if n := c.text(text); n < len(text)/200 {
			t.Errorf("%s: %d tokens", name, n)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

func TestMeterCorrectsItsCountByReports(t *testing.T) {
	messages := []personas.Message{{Role: personas.RoleUser, Content: strings.Repeat("お誕生日おめでとう ", 1_000)}}
	m, plain := newMeter(personas.Window{Tokens: 100_000}, nil), newMeter(personas.Window{Tokens: 100_000}, nil)
	m.own = counterOf("gpt-4o")
	if got := m.next(messages); got < 8_000 || got > 10_100 {
		t.Errorf("9000 tokens are taken for %d", got)
	}
	if plain.next(messages) == m.next(messages) {
		t.Error("bytes and tokens are the same")
	}
	m.reported(personas.Usage{InputTokens: 18_000}, messages)
	more := append(messages, messages...)
	if got := m.next(more); got < 34_000 || got > 38_000 {
		t.Errorf("36000 tokens are taken for %d", got)
	}
	m.reported(personas.Usage{InputTokens: 3}, messages)
	if m.scale < leastScale {
		t.Errorf("a report of 3 tokens made the scale %f", m.scale)
	}
}
