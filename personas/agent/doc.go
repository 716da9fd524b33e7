// Package agent is the built-in backend: a loop that lets a chat model work on
// the tree through tools until it submits a reply.
//
// File tools are confined to the working tree through os.Root; .git and
// .harness are out of reach. run_command is not confined: it starts a shell
// with the rights of the user. It refuses git subcommands that write where it
// sees them in the command line, which keeps an obedient model from doing by
// habit what the program does itself; a script can hide one, and the program
// therefore compares git before and after each dispatch. Whoever needs more
// runs the program in a container.
package agent
