package personas

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestWhatLooksLikeAKeyIsMasked(t *testing.T) {
	m, long := NewMask([]string{"MY_TOKEN=plain words", "HOME=/home/me"}), strings.Repeat("aB3", 14)
	for in, want := range map[string]string{
		"the value is plain words.":                              "the value is [secret].",
		"key=sk-proj-" + long:                                    "key=[secret]",
		"ghp_" + long + " and github_pat_" + long:                "[secret] and [secret]",
		"AKIAIOSFODNN7EXAMPLE":                                   "[secret]",
		"AIza" + strings.Repeat("x", 35):                         "[secret]",
		"xoxb-1234567890-abc":                                    "[secret]",
		"Authorization: Bearer " + long:                          "Authorization: Bearer [secret]",
		"postgres://me:pa55word@host/db":                         "postgres://me:[secret]@host/db",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.abcdefghijkl": "[secret]",
		"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest": "[secret]\nrest",
	} {
		if got := m.Replace(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, same := range []string{
		"sk-short", "task-sk-1", "https://example.com:8080/a@b", "http://127.0.0.1:4010/v1", "git@github.com:me/x.git", "ask-me-anything-about-the-weather", "npm_config_registry=x",
		"eyJ", "bearer of bad news that is long", "sha256:" + long, "commit 0123456789abcdef0123456789abcdef01234567", "AKIA", "/home/me",
	} {
		if got := m.Replace(same); got != same {
			t.Errorf("%q became %q", same, got)
		}
	}
	if got := m.Known("sk-proj-" + long + " plain words"); got != "sk-proj-"+long+" [secret]" {
		t.Errorf("what a model is told became %q", got)
	}
	told := Dispatch{Prompt: "plain words", OnEvent: func(_, text string) { wantText(t, text, "[secret]!") }}
	out, err := m.Dispatch(t.Context(), player(func(d Dispatch) Outcome {
		wantText(t, d.Prompt, "[secret]")
		d.OnEvent("text", "plain words!")
		return Outcome{Detail: "plain words", Reply: &Reply{Status: StatusDone, Summary: "plain words", Concerns: []string{"plain words"}, Findings: []Finding{{Line: 3, Title: "plain words"}}}}
	}), told)
	if err != nil || strings.Contains(fmt.Sprint(out, *out.Reply), "plain words") || out.Reply.Findings[0].Line != 3 || out.Reply.Status != StatusDone {
		t.Errorf("%+v, %+v, %v", out, out.Reply, err)
	}
	var none *Mask
	if none.Known("x") != "x" || none.Replace("x") != "x" {
		t.Error("no mask changes texts")
	}
}

func TestNoKeyIsPassedOver(t *testing.T) {
	m, long := NewMask(nil), strings.Repeat("aB3", 20)
	parts := []string{
		"sk-" + long, "ghp_" + long, "github_pat_" + long, "glpat-" + long, "AKIAIOSFODNN7EXAMPLE", "AIza" + long[:35], "xoxb-1234567890-abc", "hf_" + long,
		"npm_" + long[:36], "pypi-" + long, "gsk_" + long, "eyJ" + long + ".eyJ" + long + "." + long, "postgres://me:pa55word@host/db", "Bearer " + long,
		"task-001", "-", "_", "a", "é", " ", "\n", ".", "@", "://", "https://example.com",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text strings.Builder
		for range 1 + random.IntN(4) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		want := keyLike.ReplaceAllString(text.String(), "${1}${3}"+Masked+"${2}")
		if got := m.Replace(text.String()); got != want {
			t.Fatalf("%q became %q, want %q", text.String(), got, want)
		}
	}
}

type player func(Dispatch) Outcome

func (s player) Dispatch(_ context.Context, d Dispatch) (Outcome, error) { return s(d), nil }

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
