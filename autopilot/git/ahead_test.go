package git

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestWhatIsAskedAheadIsAskedOnce(t *testing.T) {
	ctx, r := Still(t.Context()), &runner{root: "here"}
	var asked atomic.Int32
	begun, release := make(chan struct{}), make(chan struct{})
	ask := func() (int, error) {
		asked.Add(1)
		close(begun)
		<-release
		return 7, nil
	}
	go once(ctx, r, "status", ask) //nolint:errcheck // the next one looks
	<-begun
	close(release)
	for range 2 {
		if got, err := once(ctx, r, "status", ask); got != 7 || err != nil || asked.Load() != 1 {
			t.Errorf("got %d, %v, asked %d times", got, err, asked.Load())
		}
	}
}

func TestWhatFailedAheadIsAskedAgain(t *testing.T) {
	ctx, r := Still(t.Context()), &runner{root: "here"}
	begun, release := make(chan struct{}), make(chan struct{})
	go once(ctx, r, "status", func() (int, error) { //nolint:errcheck // it is to fail
		close(begun)
		<-release
		return 0, context.Canceled
	})
	<-begun
	close(release)
	for range 2 {
		got, err := once(ctx, r, "status", func() (int, error) { return 8, nil })
		if got != 8 || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
	}
	_, err := once(ctx, r, "tree", func() (int, error) { return 0, errors.ErrUnsupported })
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}
