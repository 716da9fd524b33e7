package cmd

import (
	"bytes"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"autopilot/temporal/hub"
)

// TestNoMessageShowsALogin: the address of a hub may have a token. What is left is an address of the same hub all the same.
func TestNoMessageShowsALogin(t *testing.T) {
	const token = "tokentoken"
	for address, want := range map[string]string{
		"https://someone:tokentoken@example.com/acme/shop.git":       "https://example.com/acme/shop.git",
		"https://tokentoken@example.com:8443/acme/shop.git":          "https://example.com:8443/acme/shop.git",
		"https://example.com/acme/shop.git?private_token=tokentoken": "https://example.com/acme/shop.git",
		"ssh://git@example.com:2222/acme/shop.git":                   "ssh://git@example.com:2222/acme/shop.git",
		"ssh://git:tokentoken@example.com/acme/shop.git":             "ssh://git@example.com/acme/shop.git",
		"git@example.com:acme/shop.git":                              "git@example.com:acme/shop.git",
		"/srv/git/shop.git":                                          "/srv/git/shop.git",
		"https://a:tokentoken@exa mple.com/%zz":                      "exa mple.com/%zz",
	} {
		if got := hub.WithoutLogin(address); got != want || hub.RepositoryID(got) != hub.RepositoryID(address) {
			t.Errorf("of %s is left %s, not %s", address, got, want)
		}
		m := newMine(t)
		m.sh("git remote set-url origin '" + address + "'")
		m.server.workflows["autopilot/"+hub.RepositoryID(address)+"/spec"] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
		said, code := m.types("status", spec)
		if code != 4 || strings.Contains(said, token) || !strings.Contains(said, "worker --repository "+want+"\n") {
			t.Errorf("of a session of %s, status ends with %d and says\n%s", address, code, said)
		}
	}
}

// TestFetchShowsNoLogin as it says that no worker answers.
func TestFetchShowsNoLogin(t *testing.T) {
	m := newMine(t)
	m.remoteSession("s1")
	var said bytes.Buffer
	h := m.host(&said)
	f := &fleet{Host: &h}
	r, err := f.open(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m.server.workflows[r.id] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	r.url = "https://tokentoken@example.com/acme/shop.git"
	if err := r.fetch(t.Context(), f); err != nil || strings.Contains(said.String(), "tokentoken") || !strings.Contains(said.String(), "worker --repository https://example.com/acme/shop.git\n") {
		t.Errorf("it says\n%s%v", said.String(), err)
	}
}
