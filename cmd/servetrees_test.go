package cmd_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// ids are the ids of the sessions by the folders of their working trees.
func (b *browser) ids(t *testing.T) map[string]string {
	t.Helper()
	_, text, _ := b.get(t, "/api/v1/sessions")
	var all struct {
		Sessions []struct{ ID, Repository string }
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	ids := map[string]string{}
	for _, s := range all.Sessions {
		if ids[s.Repository] != "" {
			t.Errorf("two sessions in %s: %s", s.Repository, text)
		}
		ids[s.Repository] = s.ID
	}
	return ids
}

// TestServeShowsLinkedWorkingTrees: the sessions of all working trees of the repository, also of one that is added later, each answered
// in its own; none of autopilot's own working trees, and none of another repository that git's record was made to name.
func TestServeShowsLinkedWorkingTrees(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	other := filepath.Join(p.dir, "beside")
	b := p.serve(t, "--root", p.repo, "--root", p.repo)
	b.get(t, b.invitation)
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	p.git(t, "worktree", "add", "-q", "-b", "feature", other, "main")
	if got := p.from(other, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open in the other working tree: exit code %d:\n%s", got.code, got.text)
	}
	own := filepath.Join(p.repo, ".harness", "worktrees", "spec")
	stranger := filepath.Join(p.dir, "stranger")
	p.git(t, "worktree", "add", "-q", "--detach", own, "main")
	p.git(t, "worktree", "add", "-q", "--detach", stranger, "main")
	if err := os.Remove(filepath.Join(stranger, ".git")); err != nil {
		t.Fatal(err)
	}
	p.git(t, "init", "-q", stranger)
	for _, dir := range []string{own, stranger} {
		if err := os.CopyFS(filepath.Join(dir, ".harness"), os.DirFS(filepath.Join(other, ".harness"))); err != nil {
			t.Fatal(err)
		}
	}
	var ids map[string]string
	until(t, func() bool { ids = b.ids(t); return len(ids) == 2 })
	if ids["repo"] == "" || ids["beside"] == "" {
		t.Fatalf("sessions: %v", ids)
	}
	from := p.serve(t, "--root", other)
	from.get(t, from.invitation)
	if got := from.ids(t); len(got) != 2 || got["repo"] != ids["repo"] || got["beside"] != ids["beside"] {
		t.Errorf("started in the other working tree it shows %v, not %v", got, ids)
	}
	there := func() machine.State {
		s, _, err := sessions.Read(filepath.Join(other, ".harness", "sessions", "spec"), sessions.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	form := b.formKey(t, "/")
	form.Set("gate", there().Gate.ID)
	form.Set("option", "approve")
	if code, text := b.post(t, "/s/"+ids["beside"]+"/answer", form); code != http.StatusOK {
		t.Fatalf("the answer: %d\n%s", code, text)
	}
	if there().Gate != nil || p.state(t).Gate == nil {
		t.Errorf("the question is open: %v there, %v here", there().Gate != nil, p.state(t).Gate != nil)
	}
	if code, text := b.post(t, "/s/"+ids["beside"]+"/note", url.Values{"form": form["form"], "text": {"Be brief."}}); code != http.StatusOK {
		t.Errorf("a note: %d\n%s", code, text)
	}
}
