#!/bin/sh
# Makes the archives in this folder: sh make.sh AUTOPILOT. They were made with version 0.1.0 (commit 51321bf) and show that
# its sessions go on: do not replace them with those of a later version. It needs Linux, unshare and GNU tar.
set -eu
# The archives must not name this machine.
[ "$(hostname)" = example ] || exec unshare --map-root-user --uts sh -c 'hostname example && exec sh "$@"' sh "$0" "$@"
here=$(cd "$(dirname "$0")" && pwd)
place=/tmp/older-fixture
rm -rf "$place" && mkdir "$place"
cp "$1" "$place/older-autopilot"
trap 'rm -rf "$place"' EXIT

export HOME="$place" TMPDIR="$place" XDG_CONFIG_HOME="$place/config" XDG_STATE_HOME="$place/state"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 TZ=UTC
export GIT_AUTHOR_NAME='A User' GIT_AUTHOR_EMAIL=user@example.com GIT_AUTHOR_DATE='2026-01-02T03:04:05Z'
export GIT_COMMITTER_NAME='A User' GIT_COMMITTER_EMAIL=user@example.com GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'
export ROOT="$place/repo" PID_FILE="$place/pid"

# begin NAME [CONFIGURATION LINE…] makes the repository of a fixture, with untracked and ignored files of the user.
begin() {
	export SCENE="$1"
	shift
	rm -rf "$ROOT" && mkdir -p "$ROOT/docs" && cd "$ROOT"
	cp "$here/agent.sh" .
	printf '%s\n' 'backend: mine' 'backends: {mine: {type: command, command: [sh, agent.sh]}}' "$@" > autopilot.yaml
	printf '*.local\n' > .gitignore
	spec low
	plan 1
	git init -q -b main --template= && git add -A && git commit -q -m Begin
	git branch idea
	echo mine | tee mine.txt > mine.local
}

spec() { # COMPLEXITY
	printf '# Manners\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: %s -->\n\nSay hello.\n' "$1" > docs/spec.md
}

plan() { # NUMBER OF TASKS
	printf '# Plan: Greet\n\n## Tasks\n' > plan.txt
	for n in $(seq "$1"); do
		printf '\n### Task %s: Word %s\n\n' "$n" "$n"
		printf '**Files:** task-00%s.txt | **Validation:** `grep -q hello task-00%s.txt`\n' "$n" "$n"
	done >> plan.txt
}

# amend puts changes into the first commit.
amend() { git commit -q -a --amend -m Begin; git branch -f idea; }

# run CODE [ARGUMENT…] runs autopilot, checks its exit code, and waits until no process works in the repository.
run() {
	want=$1
	shift
	code=0
	sh -c 'echo $$ > "$PID_FILE"; exec "$@"' - "$place/older-autopilot" "$@" > "$place/said" 2>&1 < /dev/null || code=$?
	(cd / && while ls -l /proc/[0-9]*/cwd 2> /dev/null | grep -v "/proc/$$/" | grep -q " $place"; do sleep 0.1; done)
	[ "$code" = "$want" ] || { cat "$place/said"; echo "$SCENE: exit code $code, not $want"; exit 1; }
}

# keep packs the repository with exact file times: autopilot compares them.
keep() {
	tar -c --format=pax --pax-option=delete=atime,delete=ctime --sort=name \
		--owner=0 --group=0 --numeric-owner -C "$place" repo | gzip -9n > "$here/$SCENE.tar.gz"
}

# hook NAME installs a hook that kills autopilot and its git when they commit the first task.
hook() {
	mkdir .git/hooks
	printf '#!/bin/sh\n[ -z "$SCENE" ] || [ ! -e task-001.txt ] || kill -KILL "$(cat "$PID_FILE")" "$PPID"\n' > ".git/hooks/$1"
	chmod 755 ".git/hooks/$1"
}

# asked KIND checks which gate is open and packs the repository.
asked() {
	grep -q "\"kind\": \"$1\"" .harness/sessions/spec/autopilot-state.json
	keep
}

spec='docs/spec.md --non-interactive'

# Stopped in the middle of EXECUTE.
begin between-tasks
plan 2 && amend
run 5 $spec --max-dispatches 2
keep

begin ctrl-c
plan 2 && amend
run 130 $spec --fast
keep

# At each gate.
begin gate-baseline_red 'validate: {commands: [sh check.sh]}'
run 3 $spec --fast
asked baseline_red

begin gate-plan_wanted
spec high && amend
run 3 $spec --fast
asked plan_wanted

begin gate-approve_skeleton
run 3 $spec --thorough
asked approve_skeleton

begin gate-approve_plan
run 3 $spec --review-plans
asked approve_plan

begin gate-pause 'pause_every: 1'
run 3 $spec --fast
asked pause

for at in no_output-planner no_output-final blocked-planner blocked-executor blocked-verifier blocked-reviewer; do
	begin "gate-$at"
	run 3 $spec --yes
	asked "${at%-*}"
done

begin gate-dirty_overlap
echo mine > task-001.txt && git add task-001.txt && amend
echo more >> task-001.txt
run 3 $spec --fast --allow-dirty
asked dirty_overlap

for kind in decision human-action human-verify; do
	begin "gate-checkpoint-$kind"
	printf '\n[checkpoint:%s] Read it.\n- English\n- Latin\n' "$kind" >> plan.txt && amend
	run 3 $spec --fast
	asked checkpoint
done

begin gate-tasks_exhausted 'retries: 0'
run 3 $spec --fast
asked tasks_exhausted

begin gate-verify_failed
run 3 $spec
asked verify_failed

begin gate-review_blocking
run 3 $spec --fast
asked review_blocking

begin gate-continue
run 3 $spec --fast
asked continue

begin gate-spec_changed
printf '\n### Phase 2: Part <!-- complexity: low -->\n' >> docs/spec.md && amend
run 3 $spec --fast
sed 's/Say hello/Say it twice/' docs/spec.md > "$place/said" && cp "$place/said" docs/spec.md
run 3 $spec
asked spec_changed

begin gate-final_blocking
run 3 $spec --fast --yes
asked final_blocking

begin gate-effect_unclear
hook post-commit
run 137 $spec --fast
SCENE='' git commit -q --amend -m 'Somebody else'
run 3 $spec
asked effect_unclear

# Killed in a dispatch, a validation, a commit, a wave, a plan draft and a task list.
begin killed-dispatch
run 137 $spec
keep

begin killed-validation
echo '[ "$SCENE" != killed-validation ] || { kill -KILL "$(cat "$PID_FILE")"; sleep 30; }' > check.sh
sed 's/`grep.*/`sh check.sh`/' plan.txt > "$place/said" && cp "$place/said" plan.txt && git add check.sh && amend
run 137 $spec --fast
keep

for moment in pre-commit post-commit; do
	begin "killed-$moment"
	hook "$moment"
	run 137 $spec --fast
	keep
done

begin killed-wave 'parallel: 3'
plan 3 && amend
run 137 $spec --fast
keep

begin killed-plan-draft
spec high && amend
run 3 $spec --fast
run 137 plan docs/spec.md --draft
keep

for at in exclusive concurrent validation; do
	begin "killed-tasks-$at"
	printf '[ "$SCENE:$1" != killed-tasks-validation:2 ] || { kill -KILL "$(cat "$PID_FILE")"; sleep 30; }\n' > check.sh
	git add check.sh && amend
	mode=exclusive
	[ "$at" != concurrent ] || mode=concurrent
	{
		printf '{"version": 2, "session_config": {"concurrency_mode": "%s"}, "tasks": [' "$mode"
		comma=
		for n in 1 2 3; do
			printf '%s\n{"id": "task-00%s", "title": "Word %s", ' "$comma" "$n" "$n"
			printf '"validation": {"command": "sh check.sh %s && grep -q hello task-00%s.txt"}}' "$n" "$n"
			comma=,
		done
		printf '\n]}\n'
	} > harness-tasks.json
	run 137 tasks run
	keep
done
