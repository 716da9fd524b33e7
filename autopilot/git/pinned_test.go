package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// atHome gives a test a home of its own, with files that git reads for all repositories.
func atHome(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_GLOBAL", "")
	os.Unsetenv("GIT_CONFIG_GLOBAL")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPinnedConfigurationIsTheUsers(t *testing.T) {
	s := newSandbox(t)
	home := atHome(t, map[string]string{
		".gitconfig": "[include]\n\tpath = more\n[includeIf \"gitdir:" + filepath.Dir(s.dir) + "/\"]\n\tpath = here\n[includeIf \"gitdir:/nowhere/\"]\n\tpath = never\n" +
			"[a \"B.\\\"c\\\\\"]\n\tk = \"x\\n\\ty # ; \\\\\\\"\\b\"\n\tflag\n\tempty =\n[credential]\n\thelper =\n\thelper = store\n[http \"https://ada@example.com/\"]\n\tproxy = http://p:1\n" +
			"[user]\n\tname = Global\n\tsigningKey = \"key::ssh-ed25519 AAAA\"\n[gpg]\n\tformat = ssh\n[safe]\n\tdirectory = *\n",
		"more":               "[filter \"up\"]\n\tclean = tr a-z A-Z\n",
		"here":               "[x]\n\there = yes\n",
		"never":              "[x]\n\tnever = yes\n",
		".config/git/config": "[x]\n\txdg = \"  spaced  \"\n",
	})
	listed := func() (list []setting) {
		all, err := s.repo.Config.listSettings(t.Context())
		s.must(err)
		for _, one := range all {
			one.file = "" // another one now
			if !one.includes() && one.key != "core.attributesfile" {
				list = append(list, one)
			}
		}
		return list
	}
	before := listed()
	s.must(s.repo.Config.Pin(t.Context()))
	after := listed()
	equal(t, "settings", len(after), len(before))
	for i := range before {
		if after[i] != before[i] {
			t.Errorf("got %+v, want %+v", after[i], before[i])
		}
	}
	files := s.repo.Config.UserFiles()
	equalList(t, "files", files, filepath.Join(home, ".config/git/config"), filepath.Join(home, ".gitconfig"), filepath.Join(home, "here"), filepath.Join(home, "more"))
	if len(before) < 15 {
		t.Errorf("only %d settings were compared", len(before))
	}
}

// TestWhatThePinnedConfigurationIsFor: each kind of setting does what it is for by the copy, after the home was emptied.
func TestWhatThePinnedConfigurationIsFor(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string // of the home
		local string            // a setting of the repository
		ask   []string          // of git
		stdin string
		want  string
	}{
		"a relative include":    {map[string]string{".gitconfig": "[include]\n\tpath = sub/more\n", "sub/more": "[include]\n\tpath = deep\n", "sub/deep": "[x]\n\ty = z\n"}, "", []string{"config", "x.y"}, "", "z"},
		"includeIf gitdir":      {map[string]string{".gitconfig": "[includeIf \"gitdir:ROOT/\"]\n\tpath = more\n", "more": "[x]\n\ty = z\n"}, "", []string{"config", "x.y"}, "", "z"},
		"another's gitdir":      {map[string]string{".gitconfig": "[x]\n\ty = z\n[includeIf \"gitdir:/nowhere/\"]\n\tpath = more\n", "more": "[x]\n\ty = more\n"}, "", []string{"config", "x.y"}, "", "z"},
		"includeIf onbranch":    {map[string]string{".gitconfig": "[includeIf \"onbranch:main\"]\n\tpath = more\n", "more": "[x]\n\ty = z\n"}, "", []string{"config", "x.y"}, "", "z"},
		"the XDG file":          {map[string]string{".config/git/config": "[x]\n\ty = z\n"}, "", []string{"config", "x.y"}, "", "z"},
		"the XDG file's rival":  {map[string]string{".config/git/config": "[x]\n\ty = xdg\n", ".gitconfig": "[x]\n\ty = z\n"}, "", []string{"config", "x.y"}, "", "z"},
		"the repository's own":  {map[string]string{".gitconfig": "[x]\n\ty = home\n"}, "x.y z", []string{"config", "x.y"}, "", "z"},
		"a credential helper":   {map[string]string{".gitconfig": "[credential \"https://here\"]\n\thelper = \"!f() { echo username=ada; echo password=\\\"a b\\\"; }; f\"\n"}, "", []string{"credential", "fill"}, "protocol=https\nhost=here\n\n", "protocol=https\nhost=here\nusername=ada\npassword=a b"},
		"a rewritten address":   {map[string]string{".gitconfig": "[url \"https://there/\"]\n\tinsteadOf = here:\n"}, "remote.origin.url here:r", []string{"ls-remote", "--get-url", "origin"}, "", "https://there/r"},
		"another's repository":  {map[string]string{".gitconfig": "[safe]\n\tdirectory = /nowhere\n\tdirectory = ROOT\n"}, "", []string{"rev-parse", "--is-inside-work-tree"}, "", "true"},
		"a path below the home": {map[string]string{".gitconfig": "[user]\n\tsigningKey = ~/id\n"}, "", []string{"config", "--type=path", "user.signingKey"}, "", "HOME/id"},
		"attributes":            {map[string]string{".config/git/attributes": "*.txt x=z\n"}, "", []string{"check-attr", "x", "a.txt"}, "", "a.txt: x: z"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			files := map[string]string{}
			for name, text := range c.files {
				files[name] = strings.ReplaceAll(text, "ROOT", s.dir)
			}
			home := atHome(t, files)
			if key, value, is := strings.Cut(c.local, " "); is {
				s.git("config", key, value)
			}
			if name == "another's repository" {
				t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
			}
			s.must(s.repo.Config.Pin(t.Context()))
			for name := range files {
				s.must(os.Remove(filepath.Join(home, name)))
			}
			out, err := s.repo.Config.answer(t.Context(), []byte(c.stdin), c.ask...)
			s.must(err)
			equal(t, "git", strings.TrimSpace(string(out)), strings.ReplaceAll(c.want, "HOME", home))
		})
	}
}

func TestHomeOfAfterPinDoesNotCount(t *testing.T) {
	s := newSandbox(t)
	home := atHome(t, map[string]string{
		".gitconfig": "[core]\n\tattributesFile = ~/attributes\n[filter \"up\"]\n\tclean = tr a-z A-Z\n[user]\n\tname = Global\n",
		"attributes": "*.up filter=up\n",
	})
	s.must(s.repo.Config.Pin(t.Context()))
	s.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\n\thooksPath = "+s.path("evil")+"\n[filter \"evil\"]\n\tclean = echo evil\n"), 0o644))
	s.must(os.WriteFile(filepath.Join(home, "attributes"), []byte("* filter=evil\n"), 0o644))
	s.write("evil/pre-commit", "#!/bin/sh\ntouch ran\n")
	s.chmod("evil/pre-commit", 0o755)
	for _, change := range []func(){func() {}, func() { s.remove(".git/autopilot/pinned") }, func() {
		copies, err := filepath.Glob(s.path(".git/autopilot/pinned/*"))
		s.must(err)
		for _, name := range copies {
			s.must(os.WriteFile(name, []byte("[core]\n\thooksPath = "+s.path("evil")+"\n"), 0o600))
		}
	}} {
		change()
		s.write("a.txt", s.read("a.txt")+"more\n")
		s.write("b.up", s.read("a.txt"))
		_, err := s.commit(t, "a.txt", "b.up")
		s.must(err)
		equal(t, "hook ran", s.read("ran"), "<none>")
		equal(t, "a.txt", s.git("cat-file", "-p", "HEAD:a.txt")+"\n", s.read("a.txt"))
		equal(t, "b.up", s.git("cat-file", "-p", "HEAD:b.up")+"\n", strings.ToUpper(s.read("a.txt")))
	}
}

func TestCommitsKeepTheirIdentity(t *testing.T) {
	atHome(t, nil)
	for name, c := range map[string]struct{ before, after, want string }{
		"user":               {"", "user.name Bot", "Ada <ada@example.com> Ada <ada@example.com>"},
		"author beside user": {"", "author.email bot@x", "Ada <ada@example.com> Ada <ada@example.com>"},
		"author":             {"author.name Bo", "author.name Bot", "Bo <ada@example.com> Ada <ada@example.com>"},
		"committer":          {"committer.email c@x", "user.name Bot", "Ada <ada@example.com> Ada <c@x>"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			set := func(text string) {
				if key, value, ok := strings.Cut(text, " "); ok {
					s.git("config", key, value)
				}
			}
			set(c.before)
			s.must(s.repo.Config.Pin(t.Context()))
			set(c.after)
			s.write("a.txt", "x\n")
			_, err := s.commit(t, "a.txt")
			s.must(err)
			equal(t, "identity", s.git("log", "-1", "--format=%an <%ae> %cn <%ce>"), c.want)
			s.must(s.repo.Config.Record(t.Context())) // after it was put right
			s.write("a.txt", "y\n")
			_, err = s.commit(t, "a.txt")
			s.must(err)
			if now := s.git("log", "-1", "--format=%an <%ae> %cn <%ce>"); now == c.want {
				t.Errorf("what is recorded anew does not count: %s", now)
			}
		})
	}
}

// TestCommitsAreSignedAsWhenTheRunBegan: by the key, and by the program, that the user has in the home or the repository.
func TestCommitsAreSignedAsWhenTheRunBegan(t *testing.T) {
	for name, c := range map[string]struct{ home, before, after, signs string }{ // by the program, without spaces
		"by ssh and a key in the home": {
			"[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tprogram = SIGN\n[commit]\n\tgpgSign\n[user]\n\tsigningKey = ~/id\n", "",
			"user.signingKey ~/evil; gpg.ssh.program EVIL; gpg.format openpgp; gpg.program EVIL; commit.gpgSign false", "HOME/id",
		},
		"by a key of the repository": {"[gpg]\n\tprogram = SIGN\n", "commit.gpgSign true; user.signingKey ada", "user.signingKey evil; gpg.openpgp.program EVIL", "ada"},
		"by the other name of it":    {"[gpg \"openpgp\"]\n\tprogram = SIGN\n[commit]\n\tgpgSign = true\n", "user.signingKey ada", "gpg.program EVIL", "ada"},
		"not at all":                 {"", "", "commit.gpgSign true; gpg.program EVIL; user.signingKey evil", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newSandbox(t), t.TempDir()
			sign := func(name, mark string) string {
				path := filepath.Join(dir, name)
				s.must(os.WriteFile(path, []byte("#!/bin/sh\necho \"$@\" >> "+filepath.Join(dir, mark)+"\ncase \"$*\" in *-bsau*) cat > /dev/null ;; *) for last; do :; done; echo x > \"$last.sig\" ;; esac\n"+
					"echo '[GNUPG:] SIG_CREATED x' >&2\necho '-----BEGIN PGP SIGNATURE-----'\n"), 0o755))
				return path
			}
			filled := strings.NewReplacer("SIGN", sign("sign", "signed"), "EVIL", sign("evil", "ran"))
			home := atHome(t, map[string]string{".gitconfig": filled.Replace(c.home), "id": "a key", "evil": "a key"})
			set := func(settings string) {
				for setting := range strings.SplitSeq(filled.Replace(settings), "; ") {
					if key, value, is := strings.Cut(setting, " "); is {
						s.git("config", key, value)
					}
				}
			}
			set(c.before)
			s.must(s.repo.Config.Pin(t.Context()))
			set(c.after)
			s.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(filled.Replace("[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = EVIL\n")), 0o644))
			s.write("own.txt", "the user's\n")
			s.hook("pre-commit", "git add own.txt") // so that it is amended, and signed again
			s.write("a.txt", "x\n")
			made, err := s.commit(t, "a.txt")
			s.must(err)
			equalList(t, "taken out", made.TakenOut, "own.txt")
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("another program signed")
			}
			signed, _ := os.ReadFile(filepath.Join(dir, "signed"))
			equal(t, "is signed", strings.Contains(s.git("cat-file", "-p", "HEAD"), "gpgsig"), c.signs != "")
			equal(t, "how often it was signed", strings.Count(string(signed), strings.ReplaceAll(c.signs, "HOME", home)), map[bool]int{true: 2, false: 1}[c.signs != ""])
		})
	}
}

func TestWhatDecidesAboutAPushIsCompared(t *testing.T) {
	atHome(t, nil)
	for set, want := range map[string]string{
		"remote.origin.pushurl ../evil":                    "remote.origin.pushurl: ../evil (was: not set)",
		"remote.origin.url https://me:secret@example.com/": "remote.origin.url: https://…@example.com/ (was: ../origin)",
		"remote.origin.receivepack sh":                     "remote.origin.receivepack: sh (was: not set)",
		"url.../evil.insteadOf ../origin":                  "url.../evil.insteadof",
		"http.extraHeader secret":                          "http.extraheader",
		"credential.helper !sh":                            "credential.helper",
		"core.sshCommand sh":                               "core.sshcommand: sh (was: not set)",
		"push.gpgSign if-asked":                            "push.gpgsign",
		"include.path included":                            "remote.origin.url: ../origin, ../evil (was: ../origin)",
		"remote.origin.fetch +refs/x:refs/y":               "",
		"branch.main.remote origin":                        "",
		"alias.x status":                                   "",
	} {
		if !taken(set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			s := newSandbox(t)
			s.git("remote", "add", "origin", "../origin")
			s.write(".git/included", "[remote \"origin\"]\n\turl = ../evil\n")
			s.must(s.repo.Config.Pin(t.Context()))
			s.must(s.repo.Config.SameRemote(t.Context()))
			key, value, _ := strings.Cut(set, " ")
			s.git("config", key, value)
			err := s.repo.Config.SameRemote(t.Context())
			var changed *RemoteChangedError
			if errors.As(err, &changed); (want != "") != (changed != nil) {
				t.Fatalf("got %v", err)
			}
			if changed != nil {
				equalList(t, "changes", changed.Changes, want)
			}
		})
	}
}

func TestNoCopyIsPutIntoAnEmptyPlace(t *testing.T) {
	s := newSandbox(t)
	s.must(s.repo.Config.Pin(t.Context()))
	s.remove(".git")
	_, err := s.repo.Environment()
	s.must(err)
	equal(t, "git folder", s.read(".git"), "<none>")
}
