//go:build !linux

package cmd_test

// memory is a folder whose files lie in memory; "" where none is known.
func memory() string { return "" }
