package cmd_test

// The tools, as they are known to git.
const (
	husky = `npm ci --offline --no-audit --no-fund > /dev/null && test -x .husky/_/pre-commit`
	lfs   = `git config filter.lfs.clean "git-lfs clean -- %f"
git config filter.lfs.smudge "git-lfs smudge -- %f"
git config filter.lfs.process "git-lfs filter-process"
git config filter.lfs.required true
git config lfs.repositoryformatversion 0
mkdir -p "$(git rev-parse --git-common-dir)/hooks"
for hook in pre-push post-checkout post-commit post-merge; do
	file=$(git rev-parse --git-common-dir)/hooks/$hook
	printf '#!/bin/sh\ncommand -v git-lfs > /dev/null 2>&1 || exit 0\ngit lfs %s "$@"\n' $hook > "$file" && chmod +x "$file"
done`
	submodule = `git submodule --quiet update --init && test -s lib/a.txt`
	sparse    = `git sparse-checkout set docs && test -e docs/spec.md && ! test -e large`
	collect   = `git gc -q && git update-server-info && git commit-graph write --reachable`
	upkeep    = `git gc -q && git maintenance run --quiet --auto
git maintenance run --quiet --task=commit-graph --task=loose-objects --task=incremental-repack --task=pack-refs`
	register = `git maintenance register`

	another = `cp $WORK/repo/docs/spec.md docs/other.md && sed 's/\. .WORK.meet.sh/true/' $WORK/replay.yaml > $WORK/another.yaml
autopilot docs/other.md --replay $WORK/another.yaml --fast --yes --allow-dirty`

	withHusky = `mkdir -p .husky tools/husky
echo 'echo checked' > .husky/pre-commit
echo '{"name": "p", "version": "1.0.0", "scripts": {"prepare": "husky"}, "devDependencies": {"husky": "file:tools/husky"}}' > package.json
echo '{"name": "husky", "version": "9.0.0", "bin": "husky.sh"}' > tools/husky/package.json
cat > tools/husky/husky.sh <<'END'
#!/bin/sh
git config core.hooksPath .husky/_ && mkdir -p .husky/_ && echo '*' > .husky/_/.gitignore
printf '#!/bin/sh\n. .husky/pre-commit\n' > .husky/_/pre-commit && chmod +x .husky/_/pre-commit
END
chmod +x tools/husky/husky.sh
printf 'node_modules/\n.harness/\n' > .gitignore
npm install --package-lock-only --ignore-scripts --offline --no-audit --no-fund > /dev/null`
	withSubmodule = `git init -q -b main ../library
echo a > ../library/a.txt
git -C ../library add -A && git -C ../library commit -q -m Library
git submodule --quiet add "$WORK/library" lib && git submodule deinit -q -f lib && rm -rf .git/modules/lib`
	withLarge = `mkdir large && echo large > large/file`

	hooksPath  = `core\.hookspath`
	lfsKeys    = `filter\.lfs\..*|lfs\.repositoryformatversion`
	subKeys    = `submodule\.lib\..*`
	sparseKeys = `core\.sparsecheckout(cone)?|core\.repositoryformatversion|extensions\.worktreeconfig`
	upkeepKeys = `maintenance\..*`
	keepsAll   = "git: {keep: [core.hooksPath, \"filter.lfs.*\"]}\n"
)

// tools are who has what done, and what of it may be seen.
var tools = []tool{
	{name: "npm ci with husky", by: executor, does: husky, ground: withHusky, stays: hooksPath},
	{name: "npm ci with husky", by: validation, does: husky, ground: withHusky, stays: hooksPath},
	{name: "npm ci with husky", by: initScript, does: husky, ground: withHusky, stays: hooksPath},
	{name: "npm ci with husky", by: setup, does: husky, ground: withHusky, stays: hooksPath},
	{name: "npm ci with husky, which may", by: validation, does: husky, ground: withHusky, config: keepsAll, stays: hooksPath},
	{name: "git lfs install", by: executor, does: lfs, stays: lfsKeys},
	{name: "git lfs install, which may", by: executor, does: lfs, config: keepsAll, stays: lfsKeys},
	{name: "git lfs install", by: validation, does: lfs, says: `keep.*filter\.lfs\.\*`, stays: `lfs\.repositoryformatversion`},
	{name: "git lfs install", by: setup, does: lfs, says: `keep.*filter\.lfs\.\*`, stays: `lfs\.repositoryformatversion`},
	{name: "git lfs install", by: initScript, does: lfs, says: `keep.*filter\.lfs\.\*`, stays: `lfs\.repositoryformatversion`},
	{name: "git lfs install, which may", by: initScript, does: lfs, config: keepsAll, stays: lfsKeys},
	{name: "git submodule update", by: executor, does: submodule, ground: withSubmodule, stays: subKeys},
	{name: "git submodule update", by: validation, does: submodule, ground: withSubmodule, stays: subKeys},
	{name: "git submodule update", by: setup, does: submodule, ground: withSubmodule, stays: subKeys},
	{name: "git submodule update", by: theUser, does: submodule, ground: withSubmodule, stays: subKeys},
	{name: "git sparse-checkout set", by: setup, does: sparse, ground: withLarge, stays: sparseKeys},
	{name: "git sparse-checkout set", by: theUser, does: sparse, ground: withLarge, stays: sparseKeys},
	{name: "git gc", by: executor, does: collect},
	{name: "git gc", by: validation, does: collect},
	{name: "git gc", by: theUser, does: collect},
	{name: "git maintenance run", by: executor, does: upkeep},
	{name: "git maintenance run", by: theUser, does: upkeep},
	{name: "git maintenance register", by: executor, does: register, stays: upkeepKeys},
	{name: "git maintenance register", by: theUser, does: register, stays: upkeepKeys},
	{name: "a commit and a fetch", by: theUser, does: `echo more >> mine.txt && git commit -q -a -m Mine && git fetch -q origin && git rev-parse -q origin/theirs v1`},
	{name: "another session", by: theUser, does: another},
	{name: "a branch, a rebase and a push", by: theUser, does: `git switch -q -c topic && git commit -q --allow-empty -m Topic && git switch -q beside && git rebase -q topic && git push -q origin topic`},
}
