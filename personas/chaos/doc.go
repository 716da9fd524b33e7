// Package chaos plays personas that misbehave, without a model. A Cast decides by its seed, for each dispatch, whether the
// scripted persona does its work or shows one of the behaviours: the same seed makes the same choices, whatever order the
// dispatches come in.
//
// What a model says goes through the built-in agent, whose tools really run: a Cast is a backend around it and gives it
// the model of each dispatch. What an agent program could do besides, such as to commit or to delete a user's file, the
// Cast does by itself, before the agent or after it.
package chaos
