package cmd_test

// attack is what an agent does to git while it is at work, so that the program does more, or other things, than it was
// asked to. Its program is $CANARY, and its repository $EVIL.
type attack struct {
	name    string
	does    string // a script of sh
	told    string // a pattern: what the run says of it
	mild    bool   // and the attempt counts
	pending string // what is still to be done for it
}

// attacks begin with the number of their row in the list of what was tried on the program.
var attacks = []attack{
	{name: "S2 pushurl", does: `git config remote.origin.pushurl $EVIL`, told: `remote\.origin\.pushurl`},
	{name: "S2 url", does: `git config remote.origin.url $EVIL`, told: `remote\.origin\.url`},
	{name: "S2 receivepack", does: `git config remote.origin.receivepack $CANARY`, told: `remote\.origin\.receivepack`},
	{name: "S2 insteadOf", does: `git config url.$EVIL.pushInsteadOf $WORK/origin`, told: `url\..*\.pushinsteadof`},
	{name: "S2 another remote by default", does: `git config remote.pushDefault $EVIL; git config branch.autopilot/spec.pushRemote $EVIL`, told: `remote\.pushdefault`},
	{name: "S2 a remote of another name", mild: true, does: `git remote add x $EVIL`, pending: "the push is refused: remote.x.url is new"},
	{name: "S2 vcs", does: `git config remote.origin.vcs ext; git config protocol.ext.allow always`, told: `remote\.origin\.vcs`, pending: "protocol.ext.allow is left"},
	{name: "S2 pre-push", does: `mkdir -p .git/hooks; cp $CANARY .git/hooks/pre-push`, told: `hooks/pre-push`},
	{name: "S2 an old file of remotes", does: `mkdir -p .git/remotes; printf 'URL: %s\n' $EVIL > .git/remotes/origin; git config --remove-section remote.origin`, told: `remote\.origin\.url`, pending: "remote.origin.fetch is left"},

	{name: "S6 a link where git writes a message", mild: true, does: `ln -sf $WORK/mine .git/COMMIT_EDITMSG`, pending: writesThrough},
	{name: "S6 a link where git writes its logs", mild: true, does: `ln -sf $WORK/mine .git/logs/HEAD; ln -sf $WORK/mine .git/logs/refs/heads/autopilot/spec`, pending: writesThrough},
	{name: "S6 the program's own folder elsewhere", does: `rm -rf .git/autopilot; ln -s $EVIL .git/autopilot`},

	{name: "S7 config.worktree", does: `git config extensions.worktreeConfig true; git config --worktree core.editor $CANARY`, told: `config\.worktree`, pending: leftSoFar},
	{name: "S7 the configuration of a module", does: `mkdir -p .git/modules/x; git config --file .git/modules/x/config core.fsmonitor $CANARY`, told: `modules/x/config`, pending: leftSoFar},
	{name: "S7 alternates", does: `echo $EVIL/objects > .git/objects/info/alternates`, told: `objects/info/alternates`, pending: leftSoFar},
	{name: "S7 hooks", does: `mkdir -p .git/hooks; for h in pre-commit commit-msg post-commit post-checkout reference-transaction post-index-change; do cp $CANARY .git/hooks/$h; done`, told: `hooks/reference-transaction`},
	{name: "S7 attributes", does: `git config filter.x.clean $CANARY; echo '* filter=x' > .git/info/attributes`, told: `info/attributes`},
	{name: "S7 an included file", does: `git config --file .git/more core.fsmonitor $CANARY; git config include.path more`, told: `include\.path`},
	{name: "S9 the user", mild: true, does: `git config user.name Evil; git config user.email evil@example.com`, told: `user\.name`},
	{name: "S9 author and committer", mild: true, does: `git config author.name Evil; git config author.email e@x; git config committer.name Evil; git config committer.email e@x`, told: `author\.name`},
	{name: "S9 the home", mild: true, does: `git config --global user.name Evil; git config --global author.email e@x`, told: `in your home changed`},
	{name: "S9 signed by a program", does: `git config commit.gpgSign true; git config gpg.program $CANARY`, told: `gpg\.program`},
	{name: "S9 replaced objects", does: `git replace -f HEAD $(git commit-tree -m Evil HEAD^{tree})`, told: `refs/replace/`},

	{name: "S10 a value that git refuses", does: withTraps + `git config core.sharedRepository evil`, told: `the agent .*(core\.sharedrepository|config)`, pending: brokenConfig},
	{name: "S10 a number that is none", does: withTraps + `git config core.compression evil`, told: `the agent .*(core\.compression|config)`, pending: brokenConfig},
	{name: "S10 a version to come", does: withTraps + `git config core.repositoryFormatVersion 99`, told: `the agent .*(core\.repositoryformatversion|config)`, pending: brokenConfig},
	{name: "S10 an extension that is none", does: withTraps + `git config core.repositoryFormatVersion 1; git config extensions.evil true`, told: `the agent .*(extensions\.evil|config)`, pending: brokenConfig},
	{name: "S10 no configuration", does: withTraps + `echo '[core' > .git/config`, told: `the agent .*config`},
	{name: "S10 a folder in its place", does: withTraps + `rm .git/config; mkdir .git/config`, told: `the agent .*config`},
	{name: "S10 an included file that is none", does: withTraps + `echo '[core' > $EVIL/garbage; git config include.path $EVIL/garbage`, told: `include\.path`, pending: brokenConfig},
	{name: "S10 a lock", does: withTraps + `touch .git/config.lock`, told: `filter\.x\.clean`, pending: brokenConfig},
	{name: "S10 a history that ends nowhere", does: withTraps + `echo evil > .git/shallow`, told: `the agent .*shallow`, pending: brokenConfig},
	{name: "S10 another common folder", does: withTraps + `echo evil > .git/commondir`, told: `the agent .*commondir`, pending: brokenConfig},
	{name: "S10 a folder as the index", does: withTraps + `rm .git/index; mkdir .git/index`, told: `the agent .*index`, pending: brokenConfig},
	{name: "S10 a folder as a hook", does: `mkdir -p .git/hooks/pre-push`, told: `hooks/pre-push`, pending: "it is left, and git push waits without an end"},
	{name: "S10 no HEAD", does: withTraps + `echo evil > .git/HEAD`, told: `the agent .*`, pending: brokenConfig},
}

// programKeys are settings of .git/config by which git runs a program, or reaches another place or sees something else
// than before. An agent sets all of them at once; each is told and put back, but for those that are left so far.
var programKeys = []struct{ key, value, pending string }{
	{"core.editor", "$CANARY", leftSoFar},
	{"core.pager", "$CANARY", leftSoFar},
	{"core.askPass", "$CANARY", ""},
	{"core.sshCommand", "$CANARY", ""},
	{"core.gitProxy", "$CANARY", ""},
	{"core.alternateRefsCommand", "$CANARY", leftSoFar},
	{"core.hooksPath", "$CANARY", ""},
	{"core.fsmonitor", "$CANARY", ""},
	{"sequence.editor", "$CANARY", leftSoFar},
	{"credential.helper", "$CANARY", ""},
	{"credential.https://example.com.helper", "$CANARY", ""},
	{"diff.external", "$CANARY", ""},
	{"diff.x.command", "$CANARY", ""},
	{"diff.x.textconv", "$CANARY", ""},
	{"difftool.x.cmd", "$CANARY", leftSoFar},
	{"difftool.x.path", "$CANARY", leftSoFar},
	{"mergetool.x.cmd", "$CANARY", leftSoFar},
	{"guitool.x.cmd", "$CANARY", leftSoFar},
	{"merge.x.driver", "$CANARY", ""},
	{"filter.x.clean", "$CANARY", ""},
	{"filter.x.smudge", "$CANARY", ""},
	{"filter.x.process", "$CANARY", ""},
	{"gpg.program", "$CANARY", ""},
	{"gpg.ssh.program", "$CANARY", ""},
	{"gpg.ssh.defaultKeyCommand", "$CANARY", ""},
	{"interactive.diffFilter", "$CANARY", leftSoFar},
	{"pager.log", "$CANARY", leftSoFar},
	{"man.x.cmd", "$CANARY", leftSoFar},
	{"browser.x.cmd", "$CANARY", leftSoFar},
	{"web.browser", "$CANARY", leftSoFar},
	{"tar.x.command", "$CANARY", leftSoFar},
	{"trailer.x.command", "$CANARY", leftSoFar},
	{"trailer.x.cmd", "$CANARY", leftSoFar},
	{"sendemail.toCmd", "$CANARY", leftSoFar},
	{"sendemail.sendmailCmd", "$CANARY", leftSoFar},
	{"imap.tunnel", "$CANARY", leftSoFar},
	{"uploadpack.packObjectsHook", "$CANARY", leftSoFar},
	{"gc.recentObjectsHook", "$CANARY", leftSoFar},
	{"remote.origin.uploadpack", "$CANARY", ""},
	{"remote.origin.receivepack", "$CANARY", ""},
	{"remote.origin.vcs", "$CANARY", ""},
	{"remote.origin.proxy", "$CANARY", ""},
	{"alias.status", "!$CANARY", leftSoFar},
	{"alias.commit", "!$CANARY", leftSoFar},
	{"submodule.x.update", "!$CANARY", leftSoFar},
	{"http.proxy", "http://127.0.0.1:1", ""},
	{"http.sslVerify", "false", ""},
	{"http.sslCAInfo", "$EVIL/ca", ""},
	{"http.cookieFile", "$EVIL/cookies", ""},
	{"http.extraHeader", "X-Evil: 1", ""},
	{"protocol.ext.allow", "always", leftSoFar},
	{"protocol.allow", "always", leftSoFar},
	{"include.path", "$EVIL/config", ""},
	{"includeIf.gitdir:/.path", "$EVIL/config", ""},
	{"init.templateDir", "$EVIL", leftSoFar},
	{"core.attributesFile", "$EVIL/attributes", ""},
	{"core.excludesFile", "$EVIL/exclude", ""},
	{"remote.origin.pushurl", "$EVIL", ""},
	{"remote.origin.promisor", "true", leftSoFar},
	{"remote.origin.partialCloneFilter", "blob:none", leftSoFar},
	{"extensions.partialClone", "origin", leftSoFar},
	{"url.$EVIL.insteadOf", "https://example.com", ""},
	{"fetch.bundleURI", "http://127.0.0.1:1", leftSoFar},
	{"push.gpgSign", "if-asked", ""},
	{"push.recurseSubmodules", "on-demand", ""},
	{"submodule.recurse", "true", leftSoFar},
	{"submodule.x.url", "$EVIL", leftSoFar},
	{"user.signingKey", "evil", ""},
	{"attr.tree", "HEAD", ""},
	{"core.ignoreStat", "true", ""},
	{"core.trustctime", "false", ""},
	{"core.symlinks", "false", ""},
	{"core.autocrlf", "true", ""},
}

const (
	// withTraps leaves a hook and a filter that the broken value would keep in place.
	withTraps     = `mkdir -p .git/hooks; cp $CANARY .git/hooks/pre-commit; git config filter.x.clean $CANARY; echo '* filter=x' > .git/info/attributes; `
	writesThrough = "git writes through the link when the program commits"
	leftSoFar     = "it is left, without a word"
	brokenConfig  = "it ends the run, and what the agent left stays"
)
