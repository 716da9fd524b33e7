package process

import (
	"runtime"
	"testing"
	"time"
)

func TestTheMachineWasStartedBeforeNow(t *testing.T) {
	at := BootedAt()
	if at.IsZero() && runtime.GOOS == "linux" || at.After(time.Now()) {
		t.Errorf("the machine was started at %s", at)
	}
}
