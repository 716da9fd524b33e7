package personas

import (
	"slices"
	"strings"
	"testing"
)

func TestSecretsAreFoundByTheNamesOfVariables(t *testing.T) {
	got := Secrets([]string{"OPENAI_API_KEY=12345678", "gh_token=123456789", "HOME=/home/somebody", "DB_PASSWORD=short", "A_KEY=12345678"}, "further-one")
	if want := []string{"further-one", "123456789", "12345678"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, the longest first", got, want)
	}
	got = Secrets([]string{"DATABASE_URL=postgres://me:dburlpass99@db/x"})
	if want := []string{"postgres://me:dburlpass99@db/x", "dburlpass99"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUsualNamesOfSecretsAreKnown(t *testing.T) {
	for kv, want := range map[string]bool{
		"MYSQL_PWD=x": true, "DB_PWD=x": true, "DB_PASS=x": true, "smtp_pass=x": true, "SSH_PASSPHRASE=x": true, "GITHUB_PAT=x": true, "PGPASSWORD=x": true,
		"DB_PW=x": true, "BASIC_AUTH=x": true, "npm_config__auth=x": true, "SESSION_COOKIE=x": true, "SENTRY_DSN=x": true, "AWS_ACCESS_KEY_ID=x": true,
		"DATABASE_URL=postgres://me:pass@db/x": true, "REDIS_URL=redis://:pass@db": true, "CI_BOT=ghp_0123456789012345678901234567890123456789": true,
		"PWD=/home/me": false, "OLDPWD=/home/me": false, "SSH_AUTH_SOCK=/tmp/agent": false, "PATH=/usr/bin": false, "BYPASS=1": false, "COMPASS_DIR=x": false,
		"XAUTHORITY=/home/me/.Xauthority": false, "GIT_AUTHOR_NAME=me": false, "REDIS_URL=redis://localhost:6379": false, "EMPTY=": false,
		"https_proxy=http://me:pass@proxy:8080": false, "HOMEPAGE=https://example.org/~me:1/@x": false, "NOTE=the key ghp_0123456789012345678901234567890123456789": false,
	} {
		name, value, _ := strings.Cut(kv, "=")
		if got := IsSecret(name, value); got != want {
			t.Errorf("%s: %v", kv, got)
		}
	}
}

// TestShortSecretsAreMaskedWhereTheyStandAlone: and nothing else of a text is, so that it stays readable.
func TestShortSecretsAreMaskedWhereTheyStandAlone(t *testing.T) {
	for kv, want := range map[string]string{
		"DB_PASSWORD=hunter2":              "a [secret], (hunter22) true 4096",
		"PGPASSWORD=hunter2":               "a [secret], (hunter22) true 4096",
		"MONKEY=hunter2":                   "a hunter2, (hunter22) true 4096",
		"API_TOKEN=4096":                   "a hunter2, (hunter22) true 4096",
		"USE_TOKEN=true":                   "a hunter2, (hunter22) true 4096",
		"A_KEY=a":                          "a hunter2, (hunter22) true 4096",
		"DB_PASS=(hun":                     "a hunter2, (hunter22) true 4096",
		"REDIS_URL=redis://:hunter2@db":    "a [secret], (hunter22) true 4096",
		"NOTES=hunter2":                    "a hunter2, (hunter22) true 4096",
		"X=https://example.org/a:hunter2@": "a hunter2, (hunter22) true 4096",
	} {
		if got := NewMask([]string{kv}).Known("a hunter2, (hunter22) true 4096"); got != want {
			t.Errorf("%s: %q, want %q", kv, got, want)
		}
	}
	if got := NewMask(nil, "abcd").Known("abcd, abcde"); got != "[secret], abcde" {
		t.Errorf("a short one that is named: %q", got)
	}
}

func TestSecretsAreKnownInOtherForms(t *testing.T) {
	m := NewMask([]string{"A_KEY=one line of it\nanother \"line\" of it\nx"})
	for text, want := range map[string]string{
		`{"text":"one line of it\nanother \"line\" of it\nx"}`:                       `{"text":"[secret]"}`,
		"     1\tone line of it\n     2\tanother \"line\" of it\n     3\tx and more": "     1\t[secret]\n     2\t[secret]\n     3\tx and more",
	} {
		if got := m.Known(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}
