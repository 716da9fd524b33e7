package payload

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

const ui = "https://temporal.example.com"

// TestACodecServerDoesWhatAConverterDoes has the SDK's client of codec servers encode and decode.
func TestACodecServerDoesWhatAConverterDoes(t *testing.T) {
	for _, keys := range []Keys{{}, keysOf(t, "b", "a")} {
		server := httptest.NewServer(Handler(keys, nil, "secret"))
		defer server.Close()
		remote := converter.NewRemotePayloadCodec(converter.RemotePayloadCodecOptions{Endpoint: server.URL, ModifyRequest: func(r *http.Request) error {
			r.Header.Set("Authorization", "Bearer secret")
			return nil
		}})
		rapid.Check(t, func(t *rapid.T) {
			payloads := rapid.SliceOfN(rapid.Custom(drawPayload), 1, 3).Draw(t, "payloads")
			there, err := remote.Encode(payloads)
			if err != nil {
				t.Fatal(err)
			}
			if here, err := codec(keys).Decode(there); err != nil || !same(here, payloads) {
				t.Fatalf("the converter decodes it as %v: %v", here, err)
			}
			if back, err := remote.Decode(encode(t, keys, payloads...)); err != nil || !same(back, payloads) {
				t.Fatalf("the server decodes it as %v: %v", back, err)
			}
		})
	}
}

func TestWhoMayUseACodecServer(t *testing.T) {
	for name, c := range map[string]struct {
		method, origin, token string // of the request
		want                  string // the token of the server
		status                int
	}{
		"the CLI":                            {"POST", "", "", "", 200},
		"the CLI with the token":             {"POST", "", "Bearer secret", "secret", 200},
		"the CLI without the token":          {"POST", "", "", "secret", 401},
		"the CLI with another token":         {"POST", "", "Bearer secrets", "secret", 401},
		"the CLI with an empty token":        {"POST", "", "Bearer ", "secret", 401},
		"the CLI with a token too many":      {"POST", "", "Bearer secret", "", 200},
		"the UI":                             {"POST", ui, "", "", 200},
		"the UI with the token":              {"POST", ui, "Bearer secret", "secret", 200},
		"the UI without the token":           {"POST", ui, "", "secret", 401},
		"a preflight of the UI":              {"OPTIONS", ui, "", "secret", 200},
		"another origin":                     {"POST", "https://evil.example.com", "", "", 403},
		"another origin with the token":      {"POST", "https://evil.example.com", "Bearer secret", "secret", 403},
		"a preflight of another origin":      {"OPTIONS", "https://evil.example.com", "", "", 403},
		"the UI's host without TLS":          {"POST", "http://temporal.example.com", "", "", 403},
		"a host that begins like the UI's":   {"POST", ui + ".evil.com", "", "", 403},
		"a file":                             {"POST", "null", "", "", 403},
		"options without origin, or a token": {"OPTIONS", "", "", "secret", 401},
		"reading":                            {"GET", ui, "", "", 404},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), c.method, "/decode", strings.NewReader(`{"payloads":[]}`))
			for header, value := range map[string]string{"Origin": c.origin, "Authorization": c.token} {
				if value != "" {
					r.Header.Set(header, value)
				}
			}
			w := httptest.NewRecorder()
			Handler(Keys{}, []string{"http://localhost:8233", ui}, c.want).ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			if got, want := w.Header().Get("Access-Control-Allow-Origin"), c.origin; got != want && c.origin == ui || got != "" && c.origin != ui {
				t.Errorf("allows the origin %q", got)
			}
			if got := w.Header().Get("Access-Control-Allow-Headers"); c.origin == ui && got != "Authorization, Content-Type, X-Namespace" {
				t.Errorf("allows the headers %q", got)
			}
			if got := w.Header().Get("Access-Control-Allow-Credentials"); (got == "true") != (c.origin == ui) {
				t.Errorf("allows credentials: %q", got)
			}
		})
	}
}

func TestACodecServerSaysWhichKeyIsMissing(t *testing.T) {
	server := httptest.NewServer(Handler(keysOf(t, "b"), nil, ""))
	defer server.Close()
	remote := converter.NewRemotePayloadCodec(converter.RemotePayloadCodecOptions{Endpoint: server.URL})
	_, err := remote.Decode(encode(t, keysOf(t, "2026-a"), proto.CloneOf(&commonpb.Payload{Data: []byte("x")})))
	if err == nil || !strings.Contains(err.Error(), `"2026-a", which isn't in the key file`) {
		t.Errorf("it says %v", err)
	}
}
