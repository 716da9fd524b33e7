package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas/command"
)

// greeting is what a program says of itself when it is started.
type greeting struct {
	ProtocolVersion int `json:"protocolVersion"`
	Capabilities    struct {
		LoadSession bool `json:"loadSession"`
	} `json:"agentCapabilities"`
	LogIns []logIn `json:"authMethods"`
}

// logIn is a way to log in.
type logIn struct {
	ID          string                     `json:"id"`
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	Meta        map[string]json.RawMessage `json:"_meta"`
}

// opened is what a program says of a session. Only what is used is read, so that
// a newer program's further words do no harm.
type opened struct {
	SessionID string `json:"sessionId"`
	Modes     struct {
		Current   string `json:"currentModeId"`
		Available []struct {
			ID string `json:"id"`
		} `json:"availableModes"`
	} `json:"modes"`
	Models struct {
		Current   string `json:"currentModelId"`
		Available []struct {
			ID string `json:"modelId"`
		} `json:"availableModels"`
	} `json:"models"`
	Options []option `json:"configOptions"`
}

// option is a setting of a session.
type option struct {
	ID       string          `json:"id"`
	Category string          `json:"category"`
	Current  json.RawMessage `json:"currentValue"`
	Options  json.RawMessage `json:"options"`
}

// open greets a program that was just started, and sees to a session: the one of
// the turn before, where there is one and the program can load it.
func (s *speaker) open(ctx context.Context, t command.Turn) error {
	if s.peer.greeted {
		return nil
	}
	told, err := request[greeting](ctx, s.peer, acp.AgentMethodInitialize, acp.InitializeRequest{
		ProtocolVersion: acp.ProtocolVersionNumber, ClientInfo: &acp.Implementation{Name: "autopilot", Version: "1"},
	})
	if err != nil {
		return err
	}
	if s.told = told; told.ProtocolVersion != acp.ProtocolVersionNumber {
		return fmt.Errorf("it speaks version %d of the Agent Client Protocol, and autopilot version %d", told.ProtocolVersion, acp.ProtocolVersionNumber)
	}
	o, err := s.resume(ctx, t)
	if err != nil {
		return err
	}
	s.peer.greeted = true
	return s.settle(ctx, t, o)
}

func (s *speaker) resume(ctx context.Context, t command.Turn) (opened, error) {
	if s.session != "" && s.told.Capabilities.LoadSession {
		s.replay.Store(true)
		defer s.replay.Store(false)
		o, err := request[opened](ctx, s.peer, acp.AgentMethodSessionLoad, acp.LoadSessionRequest{
			SessionId: acp.SessionId(s.session), Cwd: t.Dispatch.Dir, McpServers: servers(t),
		})
		if err == nil || ctx.Err() != nil || s.peer.ending() {
			return o, err
		}
		t.Said.Notice("the conversation could not be loaded; a new one is begun: " + err.Error())
	}
	o, err := s.begin(ctx, t)
	var refused *acp.RequestError
	if errors.As(err, &refused) && refused.Code == authRequired && t.Keyed {
		if by, ok := s.keyLogIn(); ok {
			_, err = request[struct{}](ctx, s.peer, acp.AgentMethodAuthenticate, acp.AuthenticateRequest{MethodId: by})
			if err == nil {
				o, err = s.begin(ctx, t)
			}
		}
	}
	s.session = o.SessionID
	return o, err
}

func (s *speaker) begin(ctx context.Context, t command.Turn) (opened, error) {
	return request[opened](ctx, s.peer, acp.AgentMethodSessionNew, acp.NewSessionRequest{
		Cwd: t.Dispatch.Dir, McpServers: servers(t),
	})
}

// keyLogIn is the way to log in with a key from the environment.
func (s *speaker) keyLogIn() (string, bool) {
	for _, l := range s.told.LogIns {
		if _, ok := l.Meta["api-key"]; ok || strings.Contains(l.ID, "api-key") {
			return l.ID, true
		}
	}
	return "", false
}
