// Package agent is the built-in backend: a loop that lets a chat model work on
// the tree through tools until it submits a reply.
//
// File tools are confined to the working tree through os.Root; .git and
// .harness are out of reach. run_command starts a shell with the rights of the
// user, or in a sandbox, where one is configured: see Confinement. It refuses git
// subcommands that write, and what would destroy something beyond the tree, where
// it sees them in the command line. That keeps an obedient model from doing by
// habit what the program does itself; a script can hide one, and the program
// therefore compares git before and after each dispatch.
//
// # Context
//
// The conversation grows only at its end, so that a provider's cache of the
// prefix holds, until it has to be made shorter. At 40 % of the model's window
// old tool results go to files in the attempt's folder, and a line says where,
// again when another 40 % have come or the next mark is reached;
// at 70 % the model summarises what lies between the task and the last turns.
// An answer or a result that is long for the window is cut at once. A server
// that refuses a conversation as too long is asked again with a shorter one;
// where that does not help, the dispatch ends with a hand-over in its detail.
//
// # Circles
//
// The same call again and again, two calls in turn, a file edited over and over
// without a check that passes, many turns without anything new: the model is
// advised to step back, and at twice the threshold the dispatch ends without a
// reply, which counts as a failed attempt, with the evidence in its detail.
//
// Nothing new is what only looks or fails and gives a result that was seen
// before, whatever was asked. Edits of a file within ten minutes count until a
// check passes: all of them towards the advice, above three; towards the end,
// above six, those whole that come back to a place that was edited, and those of
// further places half, while no other file is edited after them. Long work on
// one file goes on for ever when its checks pass in between. A check in a pipe has
// passed where bash ran it and it was read to its end.
//
// # MCP servers
//
// A persona is offered the tools of the configured servers whose tier it has, as
// SERVER__TOOL. A server runs from the dispatch's first need of it to its end, in
// the environment without secrets. What it says is given to the model as data,
// capped and archived as any result. One that dies, hangs or talks nonsense is an
// error that the model reads, and is started anew by the next call; after the
// third time it is left alone.
//
// # Records
//
// In the attempt's folder: output.log for people, transcript.jsonl with every
// message, audit.jsonl with a line for each tool call, and results/ with what
// was archived. Secrets are masked in all of them.
package agent
