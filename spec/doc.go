// Package spec reads the spec of a session: a Markdown document that lists phases. Below it, plan reads the plan of a
// phase, and markdown what both have in common.
//
// Both are read from the syntax tree, so that nothing inside a code fence or an
// HTML comment is ever taken for a phase or a task. What cannot be read without
// guessing is refused with its line and a remedy.
package spec
