package console

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Page shows a text in the person's pager: $PAGER, else less.
func (h *Host) Page(ctx context.Context, text string) error {
	pager := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", `exec ${PAGER:-less -R}`) // which takes Ctrl-C by itself
	if runtime.GOOS == "windows" {
		pager = exec.CommandContext(ctx, "more.com")
	}
	pager.Env = append([]string{"LESS=FX"}, h.Environ...)
	pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	return pager.Run()
}
