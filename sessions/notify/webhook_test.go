package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// posted is what a server got.
type posted struct {
	header http.Header
	body   string
}

func server(t *testing.T, status int) (address string, got func() posted) {
	t.Helper()
	heard := make(chan posted, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard <- posted{r.Header, string(body)}
		w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/a-secret-path", func() posted { return <-heard }
}

func now() time.Time { return time.Unix(1764000000, 0) }

// TestAWebhookIsSigned checks the signature as a receiver does who knows only the secret and standardwebhooks.com.
func TestAWebhookIsSigned(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	for name, secret := range map[string]string{"base64": "whsec_" + base64.StdEncoding.EncodeToString(key), "plain": string(key)} {
		address, got := server(t, http.StatusNoContent)
		n := about().Question(gate(machine.GateApprovePlan))
		if err := (Webhook{URL: address, Secret: secret, Now: now}).Send(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		p := got()
		id, at, signature := p.header.Get("webhook-id"), p.header.Get("webhook-timestamp"), p.header.Get("webhook-signature")
		mac := hmac.New(sha256.New, key)
		_, _ = io.WriteString(mac, id+"."+at+"."+p.body)
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); signature != want || id != "16f9987f/45" || at != "1764000000" {
			t.Errorf("%s: id %q, timestamp %q, signature %q, want %q", name, id, at, signature, want)
		}
		var back Notice
		if err := json.Unmarshal([]byte(p.body), &back); err != nil || cmp.Diff(n, back) != "" {
			t.Errorf("%s: %v: the body is %s", name, err, p.body)
		}
	}
}

func TestSlackGetsAMessageWithoutMentions(t *testing.T) {
	address, got := server(t, http.StatusOK)
	n := about().Stopped("<!channel> the backend & its key")
	n.URL = "https://box.example/s/1"
	if err := (Webhook{URL: address, Format: "slack", Now: now}).Send(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	p := got()
	var body any
	if err := json.Unmarshal([]byte(p.body), &body); err != nil {
		t.Fatal(err)
	}
	title := "limits: stopped: &lt;!channel&gt; the backend &amp; its key"
	want := map[string]any{"text": title, "blocks": []any{
		map[string]any{"type": "section", "text": map[string]any{"type": "mrkdwn", "text": title}},
		map[string]any{"type": "context", "elements": []any{map[string]any{"type": "mrkdwn", "text": "`autopilot docs/limits.md` · <https://box.example/s/1|open>"}}},
	}}
	if diff := cmp.Diff(want, body); diff != "" || p.header.Get("webhook-id") != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNtfyGetsHeadersAndNoAction(t *testing.T) {
	address, got := server(t, http.StatusOK)
	n := about().Question(gate(machine.GateApprovePlan))
	n.URL = "https://box.example/s/1"
	if err := (Webhook{URL: address, Format: "ntfy", Now: now}).Send(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	p := got()
	shown := map[string]string{"body": p.body}
	for name := range p.header {
		shown[name] = p.header.Get(name)
	}
	delete(shown, "Accept-Encoding")
	want := map[string]string{
		"body": "5 tasks, high complexity.\nautopilot answer docs/limits.md", "Content-Length": "57", "User-Agent": "autopilot",
		"Title": "limits: approve the plan of phase 2 (Rule engine)?", "Priority": "4", "Tags": "question", "Click": "https://box.example/s/1",
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if h := ntfy(Notice{Event: Done, Title: "größer"}); h.Get("Title") != "=?utf-8?b?Z3LDtsOfZXI=?=" || h.Get("Priority") != "3" {
		t.Errorf("headers %v", h)
	}
}

func TestAWebhookThatFailsSaysWhyWithoutItsAddress(t *testing.T) {
	refused, gotRefused := server(t, http.StatusForbidden)
	moved, gotMoved := server(t, http.StatusTemporaryRedirect)
	for address, want := range map[string]string{
		refused: "the server answered 403 Forbidden", moved: "the server answered 307 Temporary Redirect",
		"http://127.0.0.1:1/a-secret-path": "connection refused", "::a-secret-path": "its address is none",
	} {
		err := (Webhook{URL: address, Now: now}).Send(t.Context(), Notice{ID: "a/1"})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	gotRefused()
	gotMoved()
	ended, end := context.WithCancel(t.Context())
	end()
	if err := (Webhook{URL: refused, Now: now}).Send(ended, Notice{}); err == nil {
		t.Error("it was sent after its time")
	}
}
