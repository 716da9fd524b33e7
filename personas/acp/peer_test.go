package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	acp "github.com/coder/acp-go-sdk"
)

// endsWith is a peer whose program says that line to the first request, if any, and is gone.
func endsWith(line string) *peer {
	p, fromUs, answers := unconnected()
	go func() {
		_, _ = bufio.NewReader(fromUs).ReadString('\n')
		synctest.Wait() // until the answer is waited for
		if line != "" {
			fmt.Fprintln(answers, line)
		}
		p.over(fromUs, answers)
	}()
	return p
}

// unconnected is a peer, and what its program reads from and answers to.
func unconnected() (*peer, *io.PipeReader, *io.PipeWriter) {
	fromUs, input := io.Pipe()
	toUs, answers := io.Pipe()
	p := &peer{input: input, kill: func() {}, ended: make(chan struct{})}
	p.conn = acp.NewConnection(func(context.Context, string, json.RawMessage) (any, *acp.RequestError) { return nil, nil }, input, toUs)
	p.conn.SetLogger(slog.New(slog.DiscardHandler))
	return p, fromUs, answers
}

func TestAnswerCountsThoughTheProgramIsGone(t *testing.T) {
	t.Parallel()
	for range 500 {
		synctest.Test(t, func(t *testing.T) {
			p := endsWith(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`)
			r, err := request[acp.PromptResponse](t.Context(), p, acp.AgentMethodSessionPrompt, acp.PromptRequest{})
			if err != nil || r.StopReason != acp.StopReasonEndTurn {
				t.Fatalf("got %q, %v", r.StopReason, err)
			}
		})
	}
}

func TestRefusalCountsThoughTheProgramIsGone(t *testing.T) {
	t.Parallel()
	for range 500 {
		synctest.Test(t, func(t *testing.T) {
			p := endsWith(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"log in first"}}`)
			_, err := request[acp.PromptResponse](t.Context(), p, acp.AgentMethodSessionPrompt, acp.PromptRequest{})
			if err == nil || !strings.Contains(err.Error(), "log in first") {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestProgramThatIsGoneGivesNoAnswer(t *testing.T) {
	t.Parallel()
	for range 500 {
		synctest.Test(t, func(t *testing.T) {
			if _, err := request[acp.PromptResponse](t.Context(), endsWith(""), acp.AgentMethodSessionPrompt, acp.PromptRequest{}); !errors.Is(err, errNoAnswer) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

// TestWhoMeetsTheEndOfAProgramFindsItEnded: what is not read to its end fails at once, and is no silence of one that runs on.
func TestWhoMeetsTheEndOfAProgramFindsItEnded(t *testing.T) {
	t.Parallel()
	long := acp.PromptRequest{Prompt: []acp.ContentBlock{acp.TextBlock(strings.Repeat("x", 10_000))}}
	rounds := 500
	if os.Getenv("RESUME_FULL") == "1" {
		rounds = 5000
	}
	for range rounds {
		p, fromUs, answers := unconnected()
		go func() {
			_, _ = fromUs.Read(make([]byte, 10))
			p.over(fromUs, answers)
		}()
		if _, err := request[acp.PromptResponse](t.Context(), p, acp.AgentMethodSessionPrompt, long); err == nil || !p.ending() {
			t.Fatalf("got %v, ending: %v", err, p.ending())
		}
	}
}
