package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/tail"
	"autopilot/personas"
	"autopilot/personas/limits"
)

const (
	// maxMessage is how much of the end of the last message is kept, in bytes.
	maxMessage = 2 << 20
	// maxNoise is how much is kept of the end of what is no event, in bytes.
	maxNoise = 4000
)

// stream reads the events that an agent program prints, one JSON object a line.
// What is no event is kept as noise. Whatever is written to it, it never fails.
type stream struct {
	Lines
	dialect dialect
	mask    *personas.Mask // of what came in pieces, before it is shortened; nil: nothing is masked
	tell    func(kind, text string)
	steps   func(text string)
	spend   func(personas.Usage)
	told    int

	session string      // the program's own name for the conversation
	message tail.Writer // the last message
	open    bool        // more of the last message may come, in pieces
	noise   tail.Writer
	known   bool // an event was seen

	failure *failure        // what ended the work; nil: nothing did so far
	retry   *failure        // what the program is trying to get over
	tried   bool            // it had to, since it last called a tool
	ended   bool            // it said that its work is over
	turned  func(over bool) // told when the turn ends, and when another begins; nil: nobody is
	stop    string          // why a turn ended, behind "its turn ended"; "": it was at its end

	metrics personas.Metrics

	used personas.Usage // what was handed on
	turn string         // the model call that was counted last
}

// failure is a problem as the program tells it.
type failure struct {
	status int // of HTTP; 0: not known
	text   string
	wait   time.Duration // until a server wants to be asked again; 0: not known
	body   string        // what the server answered; "": not told
	lost   bool          // the server was not there, or broke off
	agent  bool          // the text is the agent's own words, and no error of its program
	borne  bool          // but its program told before that it was getting over a problem of the server
	cut    bool          // somebody interrupted the program
}

// String is the problem in few words.
func (f failure) String() string {
	text := brief(f.text)
	if status := strconv.Itoa(f.status); f.status != 0 && !strings.Contains(text, status) {
		return "status " + status + ": " + text
	}
	return text
}

// refused says whether the problem is that the server refuses the key.
func (f failure) refused() bool {
	return limits.Judge(limits.Trouble{Status: f.status, Text: f.text, Body: f.body}, time.Time{}).Cause == limits.KeyRefused
}

// dialect is how one program speaks.
type dialect struct {
	event func(s *stream, event []byte)
	// threadUsage says that usage is counted from the beginning of a conversation
	// which may be older than the run.
	threadUsage bool
	threadCost  bool // the same of the cost alone
	// final says that an event ends the turn, whatever the program does afterwards.
	final bool
}

// newStream makes a stream for a dispatch. Usage goes to spend, which may be nil.
func newStream(speaks dialect, d personas.Dispatch, spend func(personas.Usage)) *stream {
	s := &stream{dialect: speaks, tell: d.OnEvent, steps: d.Steps, spend: spend, message: tail.Writer{Limit: maxMessage}, noise: tail.Writer{Limit: maxNoise}}
	s.Take = s.line
	return s
}

// line reads one line. A program may print all its events as one array.
func (s *stream) line(line []byte) {
	if line[0] == '[' {
		var events []json.RawMessage
		if json.Unmarshal(line, &events) == nil {
			for _, event := range events {
				s.event(event)
			}
			return
		}
	}
	if !s.event(line) && !s.behind(line) {
		_, _ = s.noise.Write(append(line, '\n'))
		s.trouble(line)
	}
}

// behind reads an event that stands behind noise which did not end its line.
func (s *stream) behind(line []byte) bool {
	at := bytes.Index(line, []byte(`{"`))
	if at <= 0 || !s.event(line[at:]) {
		return false
	}
	_, _ = s.noise.Write(append(line[:at:at], '\n'))
	return true
}

func (s *stream) event(event []byte) bool {
	if len(event) == 0 || event[0] != '{' || !json.Valid(event) {
		return false
	}
	s.known = true
	before := s.ended
	s.dialect.event(s, event)
	if s.turned != nil && s.dialect.final && s.ended != before {
		s.turned(s.ended)
	}
	return true
}

// Decode reads what it can of JSON that a program wrote: a field of another type than expected stays empty. False: it is
// no JSON.
func Decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	var mistyped *json.UnmarshalTypeError
	return err == nil || errors.As(err, &mistyped)
}

// goesOn says that there is no problem, or none any more, and that the work is not over.
func (s *stream) goesOn() { s.failure, s.retry, s.ended = nil, nil, false }

// say is a message, or a piece of the one that came last.
func (s *stream) say(text string, piece bool) {
	s.goesOn()
	if !piece || !s.open {
		s.close()
		s.message = tail.Writer{Limit: maxMessage}
	}
	_, _ = s.message.Write([]byte(text))
	if s.open = true; !piece {
		s.close()
	}
}

// close ends the last message, which is told now.
func (s *stream) close() {
	if s.open {
		s.open = false
		text := s.mask.Replace(s.message.String())
		s.steps(text)
		s.report("text", text)
	}
}

// tool is a call of a tool: a program goes on working.
func (s *stream) tool(name string, arguments json.RawMessage) {
	s.goesOn()
	s.tried = false
	s.metrics.ToolCalls++
	s.close()
	s.report("tool", strings.TrimSpace(name+" "+subject(arguments)))
}

// wrong is a call that was answered with an error.
func (s *stream) wrong(answer string) {
	s.metrics.ToolFailures++
	s.report("result", "failed: "+answer)
}

func (s *stream) report(kind, text string) {
	text = brief(s.mask.Replace(text))
	if s.tell == nil || text == "" || s.told > maxTold {
		return
	}
	if s.told++; s.told > maxTold {
		kind, text = "notice", "no more of the program's events are shown; output.log has all of them"
	}
	s.tell(kind, text)
}

// trying says that the program is getting over a problem by itself, which is one of its server. A key that is refused
// twice in a row stays so, whatever the program hopes.
func (s *stream) trying(f failure) {
	f.lost = true
	hopeless := s.retry != nil && s.retry.refused() && f.refused()
	s.retry, s.tried, s.ended = &f, true, false
	if hopeless {
		s.fail(f)
	}
	s.report("notice", "trying again: "+f.text)
}

// fail says that the work ended by a problem.
func (s *stream) fail(f failure) {
	s.close()
	s.failure, s.ended = &f, true
}

// done says that the work ended well.
func (s *stream) done() {
	s.close()
	s.failure, s.retry, s.ended = nil, nil, true
}

// finish reads what came without a line's end, when no more will come.
func (s *stream) finish() {
	s.End()
	s.close()
}

// lastWords are what is known of how the work ended.
func (s *stream) lastWords() string {
	if f := s.failure; f != nil {
		return "; its error: " + f.String()
	}
	if f := s.retry; f != nil {
		return "; it was trying to get over: " + f.String()
	}
	if text := lastOf(s.mask.Replace(s.message.String()), maxLastWords); text != "" {
		return "; its last message:\n" + text
	}
	if text := lastOf(s.noise.String(), maxLastWords); text != "" {
		return "; it printed:\n" + text
	}
	return "; it said nothing"
}

// midway says where the events stop short: the program ended in the middle of its work.
func (s *stream) midway() string {
	if s == nil || !s.known || s.ended {
		return ""
	}
	return ", and in the middle of its work"
}

// spent hands usage on. Nothing is ever given back.
func (s *stream) spent(u personas.Usage) {
	u = u.Plausible()
	s.used = s.used.Add(u)
	if s.spend != nil && u != (personas.Usage{}) {
		s.spend(u)
	}
}

// spentInAll hands on what a sum has more than was handed on before.
func (s *stream) spentInAll(u personas.Usage) {
	s.spent(personas.Usage{
		InputTokens: u.InputTokens - s.used.InputTokens, CachedTokens: u.CachedTokens - s.used.CachedTokens,
		OutputTokens: u.OutputTokens - s.used.OutputTokens, CostUSD: u.CostUSD - s.used.CostUSD,
	})
}
