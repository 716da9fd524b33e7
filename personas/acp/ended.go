package acp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas/command"
)

// authRequired is the protocol's code of an error for a program that is not
// logged in.
const authRequired = -32000

// ended tells how a turn ended.
func ended(t command.Turn, r acp.PromptResponse) {
	switch r.StopReason {
	case acp.StopReasonEndTurn:
		t.Said.Done("")
	case acp.StopReasonCancelled:
		t.Said.Failed(command.Failure{Text: "its turn was cancelled", Cancelled: true})
	default:
		t.Said.Done(stops(r.StopReason))
	}
}

// stops says why a program stopped before it was at its end.
func stops(reason acp.StopReason) string {
	switch reason {
	case acp.StopReasonMaxTokens:
		return "it reached the longest answer that its model gives"
	case acp.StopReasonMaxTurnRequests:
		return "it reached the number of model calls that it allows itself"
	case acp.StopReasonRefusal:
		return "its model refused to go on"
	}
	return "stop reason " + string(reason)
}

// failure reads the error that a turn ended by. Programs put what their server
// said into the message, or into the data beside it; some give its status as the code.
func (s *speaker) failure(err error) command.Failure {
	var refused *acp.RequestError
	if !errors.As(err, &refused) {
		return command.Failure{Text: err.Error()}
	}
	f := command.Failure{Text: strings.TrimPrefix(refused.Message, "Internal error: ")}
	var served map[string]any // the answer of a server, as it came
	if json.Unmarshal([]byte(f.Text), &served) == nil && wordsIn(served) != "" {
		f.Text, f.Body = wordsIn(served), f.Text
	}
	if refused.Data != nil {
		data, err := json.Marshal(refused.Data)
		if err == nil {
			f.Body = string(data)
		}
		if details := wordsIn(refused.Data); details != "" && details != f.Text {
			f.Text = strings.TrimSpace(details + "\n" + f.Text)
		}
	}
	switch code := refused.Code; {
	case code >= 400 && code < 600:
		f.Status = code
	case code != authRequired:
		f.Status = statusOf(refused.Data)
	default:
		f.Status = 401
		f.Text += s.howToLogIn()
	}
	return f
}

// kinds are the words that programs have in place of a status: claude's in
// errorKind, codex's in codexErrorInfo.
var kinds = map[string]int{
	"rate_limit": 429, "usageLimitExceeded": 429, "billing_error": 402, "overloaded": 529, "serverOverloaded": 529,
	"authentication_failed": 401, "unauthorized": 401, "server_error": 500, "internalServerError": 500,
}

// statusOf finds the status that the data of an error stand for; 0: none.
func statusOf(data any) int {
	switch d := data.(type) {
	case string:
		return kinds[d]
	case map[string]any:
		if code, ok := d["httpStatusCode"].(float64); ok {
			return int(code)
		}
		for _, name := range []string{"errorKind", "codexErrorInfo", "responseStreamDisconnected", "responseTooManyFailedAttempts", "httpConnectionFailed"} {
			if status := statusOf(d[name]); status != 0 {
				return status
			}
		}
	}
	return 0
}

// wordsIn finds the words in the data of an error.
func wordsIn(data any) string {
	switch d := data.(type) {
	case string:
		return d
	case map[string]any:
		for _, name := range []string{"details", "message", "error"} {
			if text := wordsIn(d[name]); text != "" {
				return text
			}
		}
	}
	return ""
}

// howToLogIn names the ways that the program offers.
func (s *speaker) howToLogIn() string {
	var ways []string
	for _, l := range s.told.LogIns {
		ways = append(ways, fmt.Sprintf("%q", cmp.Or(l.Description, l.Name)))
	}
	if len(ways) == 0 {
		return ""
	}
	return "; it offers to log in by " + strings.Join(ways, ", ")
}
