package blind

import (
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
)

// unable are the lines by which languages and shells tell that a check does not parse, or does not find what it calls.
var unable = lazyregexp.New(`(?m)^\s*(?:` +
	`(?:SyntaxError|IndentationError|TabError|ModuleNotFoundError|ImportError): ` + // Python
	`|(?:Uncaught )?SyntaxError: |Error(?: \[\w+\])?: Cannot find (?:module|package)|Error \[ERR_MODULE_NOT_FOUND\]` + // JavaScript
	`|\S+\.go:\d+:\d+: |.*: no required module provides package |no Go files in |package \S+ is not in ` + // Go
	`|error\[E\d+\]: |error: could not compile ` + // Rust
	`|\S+\.java:\d+: error: ` +
	`|(?:\S+: )*(?:line )?\d+: (?:Syntax error|syntax error)|(?:sh|bash): (?:\d+: )?(?:can't|cannot) open )`) // shells

// outcomeOf is how a check ended. One that cannot start, parse or import says nothing of the code, and neither does one that
// takes too long.
func outcomeOf(e validate.Evidence) string {
	switch {
	case e.Outcome == validate.Passed:
		return machine.CheckPassed
	case e.Outcome == validate.Failed && !unable.MatchString(e.Output):
		return machine.CheckFailed
	}
	return machine.CheckCouldNot
}
