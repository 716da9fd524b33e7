// Package storage writes single files so that a crash leaves the old content or the new, and locks them among processes.
//
// Disk is what the stores need of a file system, OSDisk the one of the operating system. ReplaceDurably replaces a file
// and waits until the disk has it; Plain refuses a link or a device in its place; LockTree takes a lock that the kernel
// frees when its holder dies.
//
// It knows nothing of sessions and task lists: not which files there are, nor what stands in them. Tests put a Disk in
// between that fails, shortens or stops at a chosen operation: see the package faulty.
package storage
