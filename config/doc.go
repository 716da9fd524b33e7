// Package config reads what the user wishes: one struct, filled from five
// layers. A later layer wins over an earlier one, key by key:
//
//  1. the defaults, which stand in the tags of [Config]
//  2. the user's file, config.yaml in the folder that [UserDir] names
//  3. the project's file, autopilot.yaml at the repository root, or the file
//     that the command line names instead
//  4. AUTOPILOT_* variables: AUTOPILOT_TIMEOUTS_IDLE for timeouts.idle
//  5. flags
//
// Reading is strict. An unknown key, a value of the wrong type and a value out
// of its range are errors that name the place and what is allowed, even where
// a later layer would have won: a wish that is misread silently is worse than
// a run that does not start. Nothing is written, and the only files opened are
// the two above.
package config
