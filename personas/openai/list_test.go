package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

// listing is a server that answers at these paths, and remembers what it was asked.
func listing(t *testing.T, answers map[string]string) (address string, asked *[]*http.Request) {
	t.Helper()
	asked = &[]*http.Request{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r)
		status, body, ok := strings.Cut(answers[r.URL.Path], " ")
		if !ok {
			status, body = "404", "nothing here"
		}
		code := 0
		_, _ = fmt.Sscan(status, &code)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestModelsOfAServerAreListed(t *testing.T) {
	auth := new(*personas.AuthError)
	for name, c := range map[string]struct {
		answer string
		want   []string
		err    any // a type to find, an error to be, or a part of its text
	}{
		"a list":             {`200 {"object":"list","data":[{"id":"m1"},{"id":"m2","aliases":["latest"]}]}`, []string{"m1", "m2", "latest"}, nil},
		"an empty list":      {`200 {"object":"list","data":[]}`, []string{}, nil},
		"a web page":         {`200 <html></html>`, nil, ErrNoList},
		"another JSON":       {`200 {"models":[]}`, nil, ErrNoList},
		"not there":          {`404 nothing`, nil, ErrNoList},
		"not allowed":        {`405 nothing`, nil, ErrNoList},
		"a refused key":      {`401 {"error":"no"}`, nil, auth},
		"a key that may not": {`403 {"error":"no"}`, nil, auth},
		"a busy server":      {`429 later`, nil, "429"},
		"a broken server":    {`502 oops`, nil, "502"},
	} {
		t.Run(name, func(t *testing.T) {
			address, asked := listing(t, map[string]string{"/v1/models": c.answer})
			m, err := New(Options{Model: "m1", BaseURL: address + "/v1/", APIKey: key})
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.List(t.Context())
			if !slices.Equal(got, c.want) {
				t.Errorf("listed %q", got)
			}
			checkErr(t, err, c.err)
			if len(*asked) != 1 || (*asked)[0].Header.Get("Authorization") != "Bearer "+key {
				t.Errorf("asked %d times, with the key in %q", len(*asked), (*asked)[0].Header)
			}
			got, err = m.ListAt(t.Context(), "/again")
			if got != nil || !errors.Is(err, ErrNoList) || (*asked)[1].URL.Path != "/v1/again/models" {
				t.Errorf("behind another end: %q, %v", got, err)
			}
		})
	}
}

func checkErr(t *testing.T, err error, want any) {
	t.Helper()
	switch want := want.(type) {
	case nil:
		if err != nil {
			t.Error(err)
		}
	case error:
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	case string:
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrNoList) {
			t.Errorf("%v, want %q", err, want)
		}
	default:
		if !errors.As(err, want) {
			t.Errorf("%v, want %T", err, want)
		}
	}
}

func TestKeyStandsWhereTheServersListWantsIt(t *testing.T) {
	for preset, header := range map[string]string{"groq": "Authorization", "azure": "Api-Key", "anthropic": "X-Api-Key"} {
		address, asked := listing(t, map[string]string{"/models": `200 {"data":[{"id":"m"}]}`})
		p, _ := PresetOf(preset)
		m, _ := New(Options{Model: "m", BaseURL: address, APIKey: key, Quirks: p.Quirks})
		if _, err := m.List(t.Context()); err != nil {
			t.Error(err)
		}
		got := (*asked)[0].Header
		if !strings.Contains(got.Get(header), key) || (got.Get("Authorization") != "") != (header == "Authorization") || (got.Get("Anthropic-Version") != "") != (preset == "anthropic") {
			t.Errorf("%s got %v", preset, got)
		}
	}
	address, asked := listing(t, map[string]string{"/models": `200 {"data":[]}`})
	m, _ := New(Options{Model: "m", BaseURL: address})
	if _, err := m.List(t.Context()); err != nil || (*asked)[0].Header.Get("Authorization") != "" {
		t.Errorf("without a key %v was sent, %v", (*asked)[0].Header, err)
	}
}

func TestServerThatListsToAnybodyIsAskedForItsKey(t *testing.T) {
	p, _ := PresetOf("openrouter")
	list := `200 {"data":[{"id":"a/m"}]}`
	for answer, refused := range map[string]bool{`401 no`: true, `200 {}`: false, `404 gone`: false} {
		address, _ := listing(t, map[string]string{"/key": answer, "/models": list})
		m, _ := New(Options{Model: "a/m", BaseURL: address, APIKey: key, Quirks: p.Quirks})
		_, err := m.List(t.Context())
		var auth *personas.AuthError
		if errors.As(err, &auth) != refused || !refused && err != nil {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestServerThatIsNotThereListsNothing(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	m, _ := New(Options{Model: "m", BaseURL: s.URL})
	if _, err := m.List(t.Context()); err == nil || strings.Contains(err.Error(), s.URL) {
		t.Errorf("got %v, which should be the cause alone", err)
	}
	if m, _ = New(Options{Model: "m"}); m.address() != "https://api.openai.com/v1" {
		t.Errorf("without an address it is %s", m.address())
	}
}

func TestNamesOfModelsAreTakenAsServersTakeThem(t *testing.T) {
	list := []string{"models/gemini-3-pro", "llama3:latest", "a/free-one", "claude-sonnet-4-5-20250929", "plain"}
	for model, want := range map[string]bool{
		"gemini-3-pro": true, "models/gemini-3-pro": false, "llama3": true, "llama3:8b": false, "a/free-one": true, "a/free-one:nitro": true, "plain": true,
		"plain:free": false, "plai": false, "claude-sonnet-4-5": true, "claude-sonnet": false, "": false,
	} {
		if Lists(list, model) != want {
			t.Errorf("%q is listed: %v", model, !want)
		}
	}
}
