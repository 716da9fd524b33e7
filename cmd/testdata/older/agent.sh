# Plays every persona. Only make.sh sets SCENE, the name of the fixture: then one persona fails or is killed. Without SCENE
# all of them succeed.
cat > /dev/null
status=done
findings=
kill_autopilot() {
	kill -KILL "$(cat "$PID_FILE")"
	sleep 30
}

case "$SCENE:$AUTOPILOT_PERSONA:$AUTOPILOT_PHASE" in
*no_output-planner:planner:* | *no_output-final:reviewer:) exit ;;
*blocked-planner:planner:* | *blocked-executor:executor:* | *blocked-verifier:verifier:* | *blocked-reviewer:reviewer:1) status=blocked ;;
gate-verify_failed:verifier:* | gate-review_blocking:reviewer:1 | gate-final_blocking:reviewer:)
	findings=',"findings":[{"severity":"critical","file":"task-001.txt","line":1,"title":"Too loud","rationale":"People sleep."}]'
	;;
esac

case "$AUTOPILOT_PERSONA:$status" in
planner:done) mkdir -p docs/plans && cat plan.txt > "$AUTOPILOT_PLAN" ;;
executor:done)
	word=hello
	[ "$SCENE" != gate-tasks_exhausted ] || word=hallo
	echo "$word" >> "$AUTOPILOT_TASK.txt"
	;;
esac

case "$SCENE:$AUTOPILOT_PERSONA:$AUTOPILOT_TASK" in
ctrl-c:executor:task-002)
	kill -INT "$(cat "$PID_FILE")"
	sleep 30
	;;
killed-dispatch:executor:task-001)
	rm "$ROOT/mine.txt"
	git tag stray
	kill_autopilot
	;;
killed-wave:executor:task-002) sleep 30 ;;
killed-wave:executor:task-003)
	until grep -q 'Completed .task-001' "$ROOT/.harness/sessions/spec/progress.txt"; do sleep 0.1; done
	kill_autopilot
	;;
killed-tasks-exclusive:executor:task-002 | killed-tasks-concurrent:executor:task-002 | killed-plan-draft:planner:*)
	kill_autopilot
	;;
esac
echo '{"v":1,"status":"'$status'","summary":"Done.","blocker":"It is dark."'$findings'}' > "$AUTOPILOT_REPLY"
