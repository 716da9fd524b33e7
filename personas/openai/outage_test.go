package openai

import (
	"errors"
	"net/http"
	"testing"

	"autopilot/personas"
)

func TestServerThatGoesOnFailingIsOutOfOrder(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		outage  personas.Outage // "": another failure
	}{
		"500":                       {status(500, "oops"), personas.ServerFails},
		"503":                       {status(503, ""), personas.ServerFails},
		"overloaded":                {status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), personas.ServerFails},
		"overloaded, as a limit":    {status(429, `{"error":{"type":"engine_overloaded_error","message":"busy"}}`), personas.ServerFails},
		"overloaded in an answer":   {events(textChunk, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`), personas.ServerFails},
		"cut by the transport":      {cutShort, personas.ServerFails},
		"cut after a piece":         {events(textChunk), personas.ServerFails},
		"cut before an answer":      {reset, personas.NoServer},
		"a limit":                   {status(429, `{"error":{"message":"slow down"}}`), ""},
		"an answer without a sense": {events(`{"choices":`), ""},
	} {
		s := serve(t, c.handler)
		m, _ := model(t, s, Options{Retries: 1})
		_, _, err := ask(t, m)
		var limit *personas.LimitError
		switch outage := errors.As(err, &limit) && limit.Outage != ""; {
		case outage != (c.outage != ""), outage && limit.Outage != c.outage:
			t.Errorf("%s: %v", name, err)
		case outage && (limit.Until.IsZero() || s.count() != 2):
			t.Errorf("%s: to be looked at again at %s, after %d requests", name, limit.Until, s.count())
		}
	}
}
