// Package steering guards what decides, beside what is committed, how git sees a working tree and what it runs there: its
// configuration, hooks, attributes, ignored files, where objects and git folders lie.
//
// A call goes: Files.Read before an agent or a command of the project is at work, Files.PutBack afterwards, which makes all what
// it was and returns what was not, each with its Verdict. There is no list of what is dangerous: whatever no row of keyRules
// names harmless is put back. It never looks at the working tree, at branches or at the index: that is package refs'.
package steering
