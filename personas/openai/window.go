package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
)

const (
	windowTime = 3 * time.Second // that a server may take to say how long a conversation may be
	loadTime   = 5 * time.Minute // and to load the model, as long as Ollama itself waits
)

// windowPlace is where servers say how long a conversation with a model may be.
type windowPlace struct {
	path string
	root bool // it is behind the server's root, and not behind its address with /v1
	// remedy is of servers that cut a longer prompt without a word: what a person does for a larger window.
	remedy string
	load   string // path that loads the model, for a server that knows its window only then
}

// windowPlaces are asked in this order at a server of no known kind. Their fields are those of windowAnswer.
var windowPlaces = []windowPlace{
	{path: "/models"}, // OpenRouter, vLLM, SGLang, Groq, Mistral
	{path: "/props", root: true, remedy: "start llama-server with a larger -c"},
	{path: "/api/v0/models", root: true}, // LM Studio
	{path: "/api/ps", root: true, load: "/api/generate", remedy: "start Ollama with OLLAMA_CONTEXT_LENGTH=64000, or set num_ctx in the model's Modelfile"},
}

// windowAnswer has what the places tell.
type windowAnswer struct {
	Data     []modelWindow `json:"data"`   // /models, /api/v0/models
	Models   []modelWindow `json:"models"` // /api/ps: those that are loaded
	Settings *struct {
		Window int `json:"n_ctx"`
	} `json:"default_generation_settings"` // /props
}

type modelWindow struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Loaded int    `json:"loaded_context_length"` // LM Studio, of a model that is loaded
	Served int    `json:"max_model_len"`         // vLLM
	Length int    `json:"context_length"`        // OpenRouter, Ollama
	Window int    `json:"context_window"`        // Groq
	Most   int    `json:"max_context_length"`    // LM Studio, Mistral
}

func (m modelWindow) tokens() int {
	for _, n := range []int{m.Loaded, m.Served, m.Length, m.Window, m.Most} {
		if n > 0 {
			return n
		}
	}
	return 0
}

// Window asks the server how long a conversation with the model may be. No tokens are spent, and a server that does not say,
// or not within a few seconds, is no error. One that knows it only of a model that is loaded loads it, as the request that
// follows would have it do.
func (m *Model) Window(ctx context.Context) personas.Window {
	for _, place := range m.places() {
		answer, err := m.windowAt(ctx, place)
		if answer.Models != nil && place.load != "" && answer.tokens(m.o.Model) == 0 && m.load(ctx, m.at(place, place.load)) == nil {
			answer, err = m.windowAt(ctx, place)
		}
		switch n := answer.tokens(m.o.Model); {
		case n > 0:
			return personas.Window{Tokens: n, Source: "as its server says", Remedy: place.remedy, Silent: place.remedy != ""}
		case place.remedy != "" && (m.o.Quirks.WindowPath != "" || answer.Settings != nil || answer.Models != nil):
			return personas.Window{Remedy: place.remedy, Silent: true}
		case err != nil && !errors.Is(err, ErrNoList):
			return personas.Window{}
		}
	}
	return personas.Window{}
}

func (m *Model) windowAt(ctx context.Context, place windowPlace) (answer windowAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, windowTime)
	defer cancel()
	body, err := m.getAt(ctx, m.at(place, place.path))
	_ = json.Unmarshal(body, &answer) // a field of another type is left out
	return answer, err
}

func (m *Model) at(place windowPlace, path string) string {
	address := strings.TrimRight(m.address(), "/")
	if place.root {
		address = strings.TrimSuffix(address, "/v1")
	}
	return address + path
}

// load has the model loaded: so Ollama takes a request without a prompt.
func (m *Model) load(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	_, err := m.send(ctx, http.MethodPost, address, bytes.NewReader(jsonedit.Compact(map[string]string{"model": m.o.Model})))
	return err
}

// places are where the model's server is asked: all at one of no known kind, none at one that is known not to say.
func (m *Model) places() []windowPlace {
	if m.o.Quirks.WindowPath == "" && slices.ContainsFunc(presets, func(p Preset) bool { return p.BaseURL == m.address() }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(windowPlaces), func(p windowPlace) bool {
		return m.o.Quirks.WindowPath != "" && p.path != m.o.Quirks.WindowPath
	})
}

// tokens finds the window of a model; 0: the answer does not tell it.
func (a windowAnswer) tokens(model string) int {
	if a.Settings != nil {
		return a.Settings.Window
	}
	found := 0
	for _, listed := range append(a.Data, a.Models...) {
		switch name := cmp.Or(listed.ID, listed.Name); {
		case name == model:
			return listed.tokens()
		case found == 0 && Lists([]string{name}, model):
			found = listed.tokens()
		}
	}
	return found
}
