// Package blind runs checks that somebody made of a phase who read the spec alone, and makes the export that they read the code in.
//
// A call goes: Export makes the folder for the dispatch, Runner.Run runs the checks that it hands in, each in the clean working tree
// as the work has it, those that fail once more and where the phase began.
//
// It never runs a check in the user's own working tree or with a key of the user's, and never decides whether a check is right:
// that is the verifier's word.
package blind
