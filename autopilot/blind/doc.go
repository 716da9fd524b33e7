// Package blind runs checks that were written from the spec alone, and exports the code for whoever writes them.
//
// Export makes the folder that the dispatch works in: the code without tests, plans and history. Runner.Run runs each check in
// the clean working tree: on the work, a second time if it fails, and once on the commit that the phase began with.
//
// It never runs a check in the user's working tree or with the user's keys. Whether a failed check is right is the verifier's
// decision.
package blind
