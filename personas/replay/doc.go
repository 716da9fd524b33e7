// Package replay is a chat model whose turns are written down beforehand. They
// are played through the built-in loop, so that its tools really run.
//
// A replay file is YAML:
//
//	version: 1
//	dispatches:
//	  - persona: executor
//	    phase: 1              # 1-based position; left out: no phase
//	    task: task-001        # left out: a dispatch without a task
//	    attempt: 1            # left out: 1
//	    turns:
//	      - text: The greeting is missing a name.
//	        calls:
//	          - read_file: {path: greet.go}
//	          - edit_file:
//	              path: greet.go
//	              old: Hello
//	              new: Hello, %s
//	        usage: {input: 1200, cached: 800, output: 90, cost: 0.004}
//	      - calls:
//	          - run_command: {command: go test ./...}
//	      - reply: {status: done, summary: Greets by name.}
//
// A turn has text, calls, a reply (which stands for a call of submit_reply), or
// a fault. Arguments that are a string and no mapping are sent as they are, to
// show how malformed ones are met. A fault ends the dispatch at its turn:
//
//	turns:
//	  - fault: rate_limited   # or auth, crashed, no_reply, timed_out, hang
//	    detail: slow down
//	    retry_after: 90s      # or until: 2030-01-02T15:04:05Z
//	    times: 1              # left out: each time that the dispatch is played
//
// "hang" waits until the dispatch is stopped from outside. A fault with times is
// passed over once this process has played it that often.
//
// A dispatch is found by its key and never by its prompt, and it plays from its
// first turn whenever it is made. A dispatch or a turn that is missing is an
// error that names it, and so is a turn that was not used when its dispatch
// ended. Which dispatches were never used is known only at the very end, over
// all runs: see File.Unused.
package replay
