//go:build !linux

package process

import (
	"os"
	"syscall"
	"time"
)

// Elsewhere nothing tells the environment of other processes.

func markOf(*os.File, string) string { return "" }

func marked(env []string, _ string) []string { return env }

func endMarked(string, func(int, syscall.Signal) error, time.Duration) (found, rest []string) {
	return nil, nil
}

func endOf(*os.File) (found, rest []string) { return nil, nil }

const markPatience = 0

func supervisorMarked(env []string, _ *os.File) []string { return env }

func freeLock(*os.File) {}
