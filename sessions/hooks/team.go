package hooks

import (
	"fmt"
	"time"

	"autopilot/sessions/taskfile"
)

// TeammateIdle decides whether a teammate may go idle: not while it has a task, or could take one: where one works at a
// time, none is handed out beside a running one. A teammate goes by HARNESS_WORKER_ID and by its name in the team; a
// running task that nobody claimed by name is that of any teammate.
func TeammateIdle(in Input, list taskfile.TaskList, worker string, now time.Time) Answer {
	v := look(list, now)
	known := worker != "" || in.TeammateName != ""
	if mine := v.held(known, worker, in.TeammateName); known && len(mine) > 0 {
		return stay("HARNESS: your task is still in progress: " + named(mine[0]) +
			". Finish it, run its validation and record the outcome.\n")
	}
	several, claim := list.Config.IsConcurrent(), "autopilot hook claim"
	if len(v.able) == 0 || !several && len(v.running) > 0 {
		return Answer{}
	}
	if several && worker == "" {
		claim = "HARNESS_WORKER_ID=your-name " + claim
	}
	return stay(fmt.Sprintf("HARNESS: %d of the tasks could begin now. The next one is %s. Claim it (%s) and go on.\n",
		len(v.able), named(v.able[0]), claim))
}

func stay(message string) Answer { return Answer{Err: message, Code: 2} }

// SubagentStop decides whether a subagent may stop: not while a task of its own is in progress. Where one works at a time
// a running task is its own; where several do, it goes by HARNESS_WORKER_ID, its id, or its name in the team.
func SubagentStop(in Input, list taskfile.TaskList, worker string, now time.Time) Answer {
	if in.Again {
		return Answer{}
	}
	v := look(list, now)
	mine := v.running
	if list.Config.IsConcurrent() {
		if worker+in.AgentID+in.TeammateName == "" && len(v.running) > 0 {
			return block("HARNESS: several work on this list, and this subagent has no worker identity, so nobody can tell whether " +
				named(v.running[0]) + " is its own. Finish what you claimed, or set HARNESS_WORKER_ID.")
		}
		mine = v.held(false, worker, in.AgentID, in.TeammateName)
	}
	if len(mine) == 0 {
		return Answer{}
	}
	return block("HARNESS: your task is still in progress: " + named(mine[0]) +
		". Run its validation and record the outcome before you stop.")
}
