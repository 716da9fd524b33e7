package git

import (
	"context"
	"errors"
	"testing"
)

func TestWhatStaysStillIsAskedOnce(t *testing.T) {
	ctx, r, asked := Still(t.Context()), &runner{root: "here"}, 0
	ask := func() (int, error) {
		asked++
		return 7, nil
	}
	for range 2 {
		if got, err := once(ctx, r, "status", ask); got != 7 || err != nil || asked != 1 {
			t.Errorf("got %d, %v, asked %d times", got, err, asked)
		}
	}
}

func TestWhatFailedIsAskedAgain(t *testing.T) {
	ctx, r := Still(t.Context()), &runner{root: "here"}
	if _, err := once(ctx, r, "status", func() (int, error) { return 0, context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got, err := once(ctx, r, "status", func() (int, error) { return 8, nil }); got != 8 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}
