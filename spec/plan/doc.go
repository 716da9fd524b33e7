// Package plan reads the plan of a phase: its tasks with their order, files and validations, and its checkpoints.
//
// ParsePlan gives the Plan of a text, or a *markdown.ParseError with everything that is malformed. What is read without
// doubt is in the Plan; dependencies that name no task are Unknown, and paths that differ in case alone are Twins.
//
// A task is never passed over: a heading that only lacks its colon is refused. The package never guesses, runs nothing and
// neither reads nor writes a file.
package plan
