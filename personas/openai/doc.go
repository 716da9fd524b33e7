// Package openai is a chat model over any server that speaks OpenAI's chat
// completions. It adds to go-openai what that leaves out: retries that honour
// Retry-After, an end for connections that have gone silent, and errors that
// tell a limit from refused credentials and from a server that is not there.
// The API key appears in no error.
package openai
