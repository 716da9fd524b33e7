package openai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	api "github.com/sashabaranov/go-openai"

	"autopilot/personas"
	"autopilot/personas/limits"
)

// Options of a Model. Only Model is needed.
type Options struct {
	BaseURL string // with /v1; "" is OpenAI's own
	APIKey  string
	Model   string

	Quirks    Quirks        // of the server
	Effort    string        // of a reasoning model: none, minimal, low, medium, high, xhigh; "": its own default
	NoStream  bool          // ask for the whole answer at once
	MaxTokens int           // of an answer; 0: the server decides
	Retries   int           // after the first try; 0: 5; below 0: none
	MaxWait   time.Duration // longest wait between two tries; a server that wants more is a limit; 0: 2 minutes
	Idle      time.Duration // without a byte from the server; 0: 5 minutes
	Prices    []Price       // looked up before the built-in ones

	Waiting  func(why error, wait time.Duration) // told before each further try; may be nil
	Guessing func()                              // told once where the server does not say what an answer used; may be nil

	Transport http.RoundTripper                          // nil: http.DefaultTransport
	Now       func() time.Time                           // nil: a limit's end is not told
	Sleep     func(context.Context, time.Duration) error // nil: waits
	Jitter    func() float64                             // in [0,1); nil: random
}

// Model is a chat model of one server. It is safe for concurrent use.
type Model struct {
	o        Options
	client   *api.Client
	guessing sync.Once
	lookout  limits.Lookout
}

// New makes a Model. Nothing is sent yet.
func New(o Options) (*Model, error) {
	if o.Model == "" {
		return nil, errors.New("no model is named; give --model NAME, or model in the backend's configuration")
	}
	if o.Retries == 0 {
		o.Retries = 5
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 2 * time.Minute
	}
	if o.Idle <= 0 {
		o.Idle = 5 * time.Minute
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Sleep == nil {
		o.Sleep = personas.Sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	cfg := api.DefaultConfig(o.APIKey)
	if o.BaseURL != "" {
		cfg.BaseURL = o.BaseURL
	}
	cfg.HTTPClient = &http.Client{Transport: o.transport(), CheckRedirect: sameServer}
	cfg.EmptyMessagesLimit = 1 << 20 // some servers send comments for as long as they think
	return &Model{o: o, client: api.NewClientWithConfig(cfg)}, nil
}

// transport observes, and puts the key where the server wants it.
func (o Options) transport() http.RoundTripper {
	next := o.Transport
	if o.Quirks.KeyHeader != "" && o.APIKey != "" {
		next = keyHeader{next, o.Quirks.KeyHeader, o.APIKey}
	}
	return observer{extraSender{next}, o.Now}
}

// Turn asks for one answer, and again where that can help. What is not worth
// another try comes back as *personas.AuthError, *personas.LimitError,
// *personas.OverflowError or *personas.EndError; a server that cannot be reached, or refuses the request as
// such, is a plain error. What a failed try has used is told to personas.Spend at once, where somebody listens.
func (m *Model) Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	request := m.request(messages, tools)
	ctx = withExtras(ctx, messages)
	var total personas.Usage
	for try := 0; ; try++ {
		message, used, err := m.once(ctx, request)
		if err == nil {
			m.lookout.Answered()
			return message, total.Add(used), nil
		}
		if !personas.Spend(ctx, used) {
			total = total.Add(used)
		}
		if ctx.Err() != nil {
			return personas.Message{}, total, fmt.Errorf("asking %s: %w", m.o.Model, context.Cause(ctx))
		}
		f := m.classify(err)
		wait := m.backoff(try, f)
		if !f.again || try >= m.o.Retries || wait > m.o.MaxWait {
			return personas.Message{}, total, m.giveUp(f, wait)
		}
		if m.o.Waiting != nil {
			m.o.Waiting(f.told(err), wait)
		}
		if err := m.pause(ctx, wait); err != nil {
			return personas.Message{}, total, err
		}
	}
}

// once makes one request, which ends when the server is silent for too long.
func (m *Model) once(ctx context.Context, request api.ChatCompletionRequest) (personas.Message, personas.Usage, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(m.o.Idle, func() { cancel(errSilent) })
	defer quiet.Stop()
	seen := &observation{alive: func() {
		if quiet.Stop() {
			quiet.Reset(m.o.Idle)
		}
		personas.Beat(ctx)
	}}
	ctx = context.WithValue(ctx, observationKey{}, seen)
	ask := m.stream
	if m.o.NoStream {
		ask = m.whole
	}
	message, used, err := ask(ctx, request, seen)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	if err != nil && seen.stream.tooLong() { // whatever the library makes of a body that cannot be read on
		err = errTooLong
	}
	if err != nil {
		err = seen.failed(err)
	}
	return message, m.price(used), err
}

// backoff is how long to wait before another try: what the server asks for,
// else 1, 2, 4, … seconds, each up to half longer, so that many clients do not
// come back together.
func (m *Model) backoff(try int, f failure) time.Duration {
	base := time.Second << min(try, 6)
	if f.retryAfter > 0 {
		return f.retryAfter
	}
	return min(base+time.Duration(m.o.Jitter()*float64(base)/2), m.o.MaxWait)
}

// pause waits in small steps and gives a sign of life at each, well before its lack would end the dispatch.
func (m *Model) pause(ctx context.Context, wait time.Duration) error {
	step := min(5*time.Second, max(m.o.Idle/3, 10*time.Millisecond))
	for ; wait > 0; wait -= step {
		personas.Beat(ctx)
		if err := m.o.Sleep(ctx, min(wait, step)); err != nil {
			return err
		}
	}
	return nil
}
