package acp

import (
	"context"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
	"autopilot/personas/command"
)

// maxDenials is how often a program is told to go on that gave up when a call was
// denied.
const maxDenials = 3

const goOn = "What you wanted to do was denied: it is not for you to do. Go on without it, and hand in your reply as you were told before."

// prompt has the program take its turn, and tells how it ended. Some programs end
// it without a reply when a call is denied.
func (s *speaker) prompt(ctx context.Context, t command.Turn) error {
	text := t.Prompt
	var used personas.Usage // as far as answers told it
	for denials := 0; ; denials++ {
		s.denied.Store(false)
		r, err := s.send(ctx, text)
		if err == nil && r.StopReason == acp.StopReasonCancelled {
			err = s.madeToEnd()
		}
		if err != nil {
			return err
		}
		used = used.Add(usageOf(r))
		t.Said.SpentInAll(used)
		if r.StopReason != acp.StopReasonEndTurn || !s.denied.Load() || denials == maxDenials || t.Answered() {
			ended(t, r)
			return nil
		}
		text = goOn
	}
}

// madeToEnd looks whether a program whose turn was cancelled is about to end: one
// that a time limit makes to go may answer so.
func (s *speaker) madeToEnd() error {
	select {
	case <-s.peer.ended:
		return errNoAnswer
	case <-time.After(s.cancelGrace):
		return nil
	}
}

// send sends a prompt and waits for the end of its turn. A turn is cancelled by a
// message of its own, to which the answer still comes.
func (s *speaker) send(ctx context.Context, text string) (acp.PromptResponse, error) {
	type answer struct {
		r   acp.PromptResponse
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		r, err := request[acp.PromptResponse](context.WithoutCancel(ctx), s.peer, acp.AgentMethodSessionPrompt, acp.PromptRequest{
			SessionId: acp.SessionId(s.session), Prompt: []acp.ContentBlock{acp.TextBlock(text)},
		})
		answered <- answer{r, err}
	}()
	select {
	case a := <-answered:
		return a.r, a.err
	case <-ctx.Done():
	}
	s.cut.Store(true)
	go func() { // a program that reads nothing must not hold this up
		_ = s.peer.conn.SendNotification(context.WithoutCancel(ctx), acp.AgentMethodSessionCancel, acp.CancelNotification{SessionId: acp.SessionId(s.session)})
	}()
	select {
	case <-answered:
	case <-time.After(s.cancelGrace):
	}
	return acp.PromptResponse{}, ctx.Err()
}
