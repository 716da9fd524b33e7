// Package personas holds what the program delegates to: the four personas and
// their methods, the prompt that a dispatch sends, the reply that it owes, and
// the contract of a backend that runs one. It imports no other layer of ours, so
// that the engine and every backend can share its types.
package personas
