package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const knownBackends = "anthropic, auto, azure, claude, codex, deepseek, gemini, groq, lmstudio, mistral, ollama, openai, opencode, openrouter, qwen, replay, vllm, zai, zhipu"

func TestPresetGivesTheType(t *testing.T) {
	cfg, report := mustLoad(t, project(t, "backend: zai\nbackends: {a: {preset: groq, model: m}, b: {preset: claude}, c: {type: command, preset: gemini}, d: {type: openai, preset: gemini}}"))
	for name, want := range map[string]string{"a": "openai", "b": "command", "c": "command", "d": "openai"} {
		if got := cfg.Backends[name].Type; got != want {
			t.Errorf("backend %s is of type %q, want %q", name, got, want)
		}
	}
	if cfg.Backend != "zai" || len(report.Warnings) != 0 {
		t.Errorf("backend %q, warnings %q", cfg.Backend, report.Warnings)
	}
}

func TestPricesAreReadByModel(t *testing.T) {
	cfg, _ := mustLoad(t, project(t, "prices:\n  Qwen3:8b: {input: 0.5, output: 2}\n  gpt-4.1: {input: 1, cached: 0.1, output: 3}"))
	want := map[string]Price{"Qwen3:8b": {Input: 0.5, Output: 2}, "gpt-4.1": {Input: 1, Cached: 0.1, Output: 3}}
	if diff := cmp.Diff(want, cfg.Prices); diff != "" {
		t.Error(diff)
	}
}
