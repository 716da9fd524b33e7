// Package shell says what a command line of the shell would do, without running it: whether its git writes, what it
// would destroy beyond the working tree, which scripts it runs, whether it can fail. It guards against habits, not
// malice: it sees what stands in the line, and never what a program does.
//
// A walk goes through the parsed line in the order in which its commands run, with the variables and folders that the
// line itself sets, and visits each simple command: its words after the shell's expansions, the files that it writes,
// what it reads. A command that starts another one (sudo, xargs, find -exec, sh -c) is visited, and then the other. What
// only a running command knows is a mark in a word. Denial, WritingGit, Scripts and Commands judge what is visited by
// tables of programs; CannotFail goes through the same tree for the exit codes.
package shell

// Commands gives the words of the simple commands in a line, those that others start and those of substitutions among
// them.
func Commands(line string) (list [][]string) {
	newWalk(&PathScope{root: unknown}, map[string]string{}, func(c *command) {
		if len(c.words) > 0 {
			list = append(list, c.words)
		}
	}).line(line)
	return list
}
