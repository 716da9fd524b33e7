package cmd_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTwoSessionsInTwoTreesLeaveEachOtherAlone has two runs at work in two working trees of a repository, whose dispatches
// meet: neither is blamed for what the other did.
func TestTwoSessionsInTwoTreesLeaveEachOtherAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts of sh")
	}
	t.Parallel()
	here := tool{by: executor, does: "echo > $WORK/ready; read x < $WORK/gone"}.place(t)
	beside := *here
	beside.repo, beside.replay = filepath.Join(here.dir, "beside"), filepath.Join(here.dir, "beside.yaml")
	beside.put(t, filepath.Join(here.dir, "meet.sh"), []byte("read x < $WORK/ready; echo > $WORK/gone\n"))
	beside.put(t, beside.replay, []byte(strings.ReplaceAll(here.sh(t, "cat "+here.replay), "tool.sh", "meet.sh")))
	beside.put(t, filepath.Join(beside.repo, "docs", "other.md"), []byte(here.sh(t, "cat docs/spec.md")))
	looked := here.sh(t, "git rev-parse main origin/main")
	both := map[string]chan outcome{}
	for spec, p := range map[string]*place{"spec": here, "other": &beside} {
		ended := make(chan outcome, 1)
		both[filepath.Join(p.repo, ".harness", "sessions", spec)] = ended
		go func() {
			code, said := p.process(t, nil)("docs/"+spec+".md", "--replay", p.replay, "--fast", "--yes", "--allow-dirty")
			ended <- outcome{code, said}
		}()
	}
	for session, ended := range both {
		o := <-ended
		if o.code != 0 {
			t.Fatalf("exit code %d:\n%s", o.code, o.text)
		}
		alarmless(t, session, o.text)
	}
	if now := here.sh(t, "git rev-parse main origin/main"); now != looked {
		t.Errorf("the user's branches were:\n%sand are:\n%s", looked, now)
	}
}
