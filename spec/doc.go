// Package spec reads the two Markdown documents of a session: the spec, which
// lists the phases, and the plan of a phase, which lists its tasks.
//
// Both are read from the syntax tree, so that nothing inside a code fence or an
// HTML comment is ever taken for a phase or a task. What cannot be read without
// guessing is refused with its line and a remedy.
package spec
