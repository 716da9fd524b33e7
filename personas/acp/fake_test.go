//go:build unix

package acp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// fakeRole is the variable that makes the test binary an agent, and says which.
const fakeRole = "ACP_FAKE"

// fake is an agent that plays a role. It writes its messages by hand, so that it can write wrong ones, and what it was
// asked into the file asked.
type fake struct {
	role  string
	mu    sync.Mutex
	turns int
	calls int
	yes   map[string]chan string // answers to its questions, by their ids
	stop  chan struct{}          // closed by session/cancel
	over  atomic.Bool            // it hears nothing any more
}

func newFake(role string) *fake {
	return &fake{role: role, yes: map[string]chan string{}, stop: make(chan struct{})}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		SessionID string          `json:"sessionId"`
		ModeID    string          `json:"modeId"`
		ModelID   string          `json:"modelId"`
		MethodID  string          `json:"methodId"`
		Value     string          `json:"value"`
		Servers   json.RawMessage `json:"mcpServers"`
		Prompt    []struct {
			Text string `json:"text"`
		} `json:"prompt"`
	} `json:"params"`
	Result struct {
		Outcome struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		} `json:"outcome"`
	} `json:"result"`
}

func (f *fake) serve() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if f.role == "stays" {
				select {}
			}
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil || f.over.Load() {
			continue
		}
		if m.Method != "" {
			if len(m.Params.Servers) > len("[]") {
				f.note("servers " + string(m.Params.Servers))
			}
			f.note(strings.Join(strings.Fields(fmt.Sprint(m.Method, " ", m.Params.SessionID, " ", m.Params.ModeID, m.Params.ModelID, m.Params.MethodID, m.Params.Value)), " "))
		}
		f.take(m)
	}
}

func (f *fake) note(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked, err := os.OpenFile("asked", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		fmt.Fprintln(asked, text)
		asked.Close()
	}
}

func (f *fake) take(m message) {
	switch m.Method {
	case "":
		f.mu.Lock()
		answer := f.yes[string(m.ID)]
		f.mu.Unlock()
		answer <- m.Result.Outcome.Outcome + " " + m.Result.Outcome.OptionID
	case "initialize":
		version := 1
		if f.role == "newer" {
			version = 2
		}
		f.answer(m, fmt.Sprintf(`{"protocolVersion":%d,"agentCapabilities":{"loadSession":%v},"authMethods":[
			{"id":"oauth","name":"Log in","description":"Log in with a browser"},{"id":"key","name":"Key","_meta":{"api-key":{}}}]}`, version, f.role != "forgets"))
	case "session/new":
		f.open(m)
	case "session/load":
		if f.role == "lost" {
			f.fail(m, -32602, `"message":"no such session"`)
			return
		}
		f.say("What was said before.")
		f.answer(m, `{}`)
	case "session/cancel":
		if f.role != "deaf" {
			close(f.stop)
		}
	case "session/prompt":
		f.turns++
		go f.turn(m)
	case "authenticate":
		f.note("logged in")
		f.role = "normal"
		f.answer(m, `{}`)
	default:
		f.answer(m, `{}`)
	}
}

func (f *fake) open(m message) {
	if f.role == "locked" {
		f.fail(m, -32000, `"message":"Authentication required"`)
		return
	}
	f.answer(m, `{"sessionId":"s1","modes":{"currentModeId":"auto","availableModes":[{"id":"auto"},{"id":"default"},{"id":"read-only"},{"id":"workspace-write"}]},
		"configOptions":[{"id":"m","category":"model","type":"select","currentValue":"small","options":[{"group":"g","options":[{"value":"small"},{"value":"large"}]}]},{"id":"new","type":"novel"}]}`)
}

// write writes a message on one line.
func (f *fake) write(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Println(strings.ReplaceAll(strings.ReplaceAll(text, "\n", ""), "\t", ""))
}

func (f *fake) answer(m message, result string) {
	f.write(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`)
}

func (f *fake) fail(m message, code int, rest string) {
	f.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,%s}}`, m.ID, code, rest))
}

func (f *fake) update(fields string) {
	f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{` + fields + `}}}`)
}

func (f *fake) say(text string) {
	piece, _ := json.Marshal(text)
	f.update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(piece) + `}`)
}

// ask asks for permission, and gives the answer.
func (f *fake) ask(call, options string) string {
	f.mu.Lock()
	f.calls++
	id := fmt.Sprint(1000 + f.calls)
	answer := make(chan string, 1)
	f.yes[id] = answer
	f.mu.Unlock()
	f.write(`{"jsonrpc":"2.0","id":` + id + `,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":` + call + `,"options":` + options + `}}`)
	return <-answer
}

func (f *fake) hand(text string) {
	if os.WriteFile(os.Getenv("AUTOPILOT_REPLY"), []byte(text), 0o644) != nil {
		os.Exit(3)
	}
}

// orphan starts a process in a session of its own, which writes for as long as it lives.
func orphan() {
	c := exec.Command("sh", "-c", `while :; do echo x >> beats; sleep 0.02; done`)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if c.Start() != nil {
		os.Exit(4)
	}
	for {
		if info, err := os.Stat("beats"); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
