package process

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// shellProgram looks beside git.exe too, since Git for Windows puts only its
// cmd folder on PATH. Without either the bare name makes a StartError.
func shellProgram() string {
	if _, err := exec.LookPath("sh"); err == nil {
		return "sh"
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return "sh"
	}
	return filepath.Join(filepath.Dir(filepath.Dir(git)), "bin", "sh.exe")
}

// bashProgram is the sh of Git, which is bash: the bash on PATH may be that of another system within Windows.
func bashProgram() string { return shellProgram() }

func samePathKey(key string) bool { return strings.EqualFold(key, "PATH") }
