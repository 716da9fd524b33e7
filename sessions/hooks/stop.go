package hooks

import (
	"fmt"
	"strings"
	"time"

	"autopilot/sessions/taskfile"
)

// MaxBlocks is how often in a row the stop hook keeps an agent at work without a task being completed.
const MaxBlocks = 8

// Stand is what the stop hook knows beside its input and the list.
type Stand struct {
	Worker string // HARNESS_WORKER_ID
	Ended  int    // tasks that ended in this session, by the log: see Ended
	Count  Count
	Now    time.Time
}

// Stop decides whether an agent may stop. While its list has work for it, it may not, unless it reached a limit of the
// list, or was sent back MaxBlocks times without getting a task done.
func Stop(in Input, list taskfile.TaskList, at Stand) Answer {
	if limited(list, at) {
		return Answer{Do: Effects{Reset: true}}
	}
	v := look(list, at.Now)
	mine := v.running
	if list.Config.IsConcurrent() && at.Worker != "" {
		mine = v.held(true, at.Worker)
	}
	if len(mine) == 0 && len(v.able) == 0 {
		return Answer{Do: Effects{Reset: true, Finish: list.Over()}}
	}
	count := Count{Blocks: at.Count.Blocks + 1, Completed: list.Counts().Completed}
	if count.Completed > at.Count.Completed {
		count.Blocks = 1
	}
	if in.Again && count.Blocks > MaxBlocks {
		return Answer{Do: Effects{Reset: true}, Err: fmt.Sprintf("HARNESS: WARN: the agent was kept from stopping %d times and "+
			"completed nothing. It may stop now; look at the tasks and their validation commands.\n", count.Blocks-1)}
	}
	a := block("HARNESS: there is work left, so go on.\n" + v.summary() + "\n" + advice(mine))
	a.Do.Count = &count
	return a
}

// limited says whether the list wants no more work in this session. Workers that share a session number cannot be told
// apart in the log, so that the tasks of a session are counted only where one works at a time.
func limited(list taskfile.TaskList, at Stand) bool {
	c := list.Config
	if c.MaxSessions > 0 && list.SessionCount >= c.MaxSessions {
		return true
	}
	return !c.IsConcurrent() && c.MaxTasksPerSession > 0 && list.SessionCount > 0 && at.Ended >= c.MaxTasksPerSession
}

func advice(mine []taskfile.ListedTask) string {
	if len(mine) > 0 {
		return "First finish what is in progress, " + named(mine[0]) + ": run its validation and record the outcome."
	}
	return "Claim the next task (autopilot hook claim), report its checkpoints, run its validation, record the outcome, then " +
		"take the one after it."
}

// StopUnreadable is the answer of the stop hook where the task file cannot be read. The second time the agent may stop:
// it could not mend the file.
func StopUnreadable(in Input, err error) Answer {
	if in.Again {
		return Answer{Err: "HARNESS: WARN: harness-tasks.json cannot be read and the agent was kept from stopping before. " +
			"It may stop now; put the file right by hand.\n"}
	}
	return block("HARNESS: harness-tasks.json cannot be read.\nHARNESS: error=" + short(err.Error()) +
		"\nPut it back from harness-tasks.json.bak. Where that is no better, write nothing over it: stop and ask a human.")
}

// Ended counts the tasks that ended in a session, completed or failed: its lines of type Completed, and of type ERROR
// that name a task. The text is the end of harness-progress.txt.
func Ended(log string, session int) int {
	n, tag := 0, fmt.Sprintf("[SESSION-%d] ", session)
	for l := range strings.Lines(log) {
		_, entry, of := strings.Cut(l, tag)
		kind, rest, _ := strings.Cut(strings.TrimSpace(entry), " ")
		subject, _, tagged := strings.Cut(strings.TrimPrefix(rest, "["), "]")
		tagged = tagged && strings.HasPrefix(rest, "[")
		if of && tagged && (kind == "Completed" || kind == "ERROR" && !categories[subject]) {
			n++
		}
	}
	return n
}

// categories are what stands in the place of the task's id in an ERROR line of no task.
var categories = map[string]bool{
	taskfile.CategoryEnvSetup: true, taskfile.CategoryConfig: true, taskfile.CategoryTaskExec: true, taskfile.CategoryTestFail: true,
	taskfile.CategoryTimeout: true, taskfile.CategoryDependency: true, taskfile.CategorySessionTimeout: true,
}
