//go:build unix && !linux

package process

import "os"

func selfProgram() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
