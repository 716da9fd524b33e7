package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/cmd/app"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/openai"
)

// usedUp is what a person does about a quota or balance.
const usedUp = "Raise it at its provider, or name another backend. Waiting does not help."

// endpoint asks the server of an openai backend for the names of its models: whether it is there, takes the key, and
// has the model. No tokens are spent.
func endpoint(ctx context.Context, b *app.Backends, described config.Backend) []diagnosis {
	s := b.Server(described)
	const unnamed = "none" // a list wants no model, but who asks for it has one
	model, err := openai.New(openai.Options{BaseURL: s.At(), APIKey: s.Key, Model: cmp.Or(described.Model, unnamed), Quirks: s.Preset.Quirks})
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, app.EndpointTime)
	defer cancel()
	names, err := model.List(ctx)
	d := diagnosis{Name: "endpoint", Status: "ok", Detail: s.At() + " answers"}
	var auth *personas.AuthError
	var limit *personas.LimitError
	switch {
	case errors.As(err, &auth):
		return []diagnosis{refused(s)}
	case errors.As(err, &limit) && limit.UsedUp && limit.Until.IsZero():
		return []diagnosis{{"endpoint", "wrong", s.At() + " answers that a quota or balance is used up: " + limit.Detail, usedUp}}
	case errors.As(err, &limit):
		d.Status, d.Detail, d.Remedy = "note", d.Detail+", and reports a limit: "+limit.Detail, "Wait, or name another backend."
	case errors.Is(err, openai.ErrNoList):
		if hint := lacksVersion(ctx, s, model); hint != nil {
			return []diagnosis{*hint}
		}
		d.Detail += ", and does not list its models"
	case err != nil:
		message, remedy := s.Unreachable(err)
		return []diagnosis{{"endpoint", "wrong", message, remedy}}
	}
	if s.Key == "" {
		d.Detail += "; no key is sent"
	} else {
		d.Detail += "; its key is that in " + s.Variable
	}
	return append([]diagnosis{d}, modelIn(s, names, err, described)...)
}

// refused is a server that does not take the key, or wants one.
func refused(s app.Server) diagnosis {
	if s.Key == "" {
		return diagnosis{"endpoint", "wrong", s.At() + " wants a key, and none is set", "Set " + s.Variable + ", or name another variable with api_key_env."}
	}
	return diagnosis{"endpoint", "wrong", s.At() + " refuses the key in " + s.Variable, "Correct the key, or name another variable with api_key_env."}
}

// lacksVersion finds out whether an address only lacks its end, which servers tell people in different ways.
func lacksVersion(ctx context.Context, s app.Server, model *openai.Model) *diagnosis {
	const end = "/v1"
	address := strings.TrimRight(s.At(), "/")
	if strings.HasSuffix(address, end) {
		return nil
	}
	if _, err := model.ListAt(ctx, end); err != nil {
		return nil
	}
	right := address + end
	return &diagnosis{"endpoint", "wrong", s.At() + " answers, but the models are behind " + right, "Write base_url: " + right}
}

// modelIn tells whether the server has the model, as far as its list tells.
func modelIn(s app.Server, names []string, err error, described config.Backend) []diagnosis {
	switch {
	case err != nil:
		return nil
	case described.Model == "":
		return []diagnosis{{"model", "note", "none is named", "Name one with --model, or model in autopilot.yaml" + among(names, "")}}
	case openai.Lists(names, described.Model):
		return []diagnosis{{Name: "model", Status: "ok", Detail: described.Model + " is in the server's list"}}
	case s.Preset.AddressEnd != "": // Azure lists what could be deployed, and is asked for a deployment
		return nil
	}
	d := diagnosis{"model", "note", described.Model + " is not in the server's list", "If it is refused, name another one with model or --model" + among(names, described.Model)}
	if s.Preset.Exact && s.IsOwn() {
		d.Status, d.Remedy = "wrong", "Name another one with model or --model"+among(names, described.Model)
	}
	if described.Preset == "ollama" {
		d.Remedy = "Fetch it: ollama pull " + described.Model + ". " + d.Remedy
	}
	return []diagnosis{d}
}

// among names a few models that look most like the one that is not there.
func among(names []string, wanted string) string {
	const few = 5
	if len(names) == 0 {
		return ". Its list is empty."
	}
	alike := func(name string) int {
		n := 0
		for n < min(len(name), len(wanted)) && name[n] == wanted[n] {
			n++
		}
		return n
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return alike(b) - alike(a) })
	if len(names) > few {
		return fmt.Sprintf(", such as %s (of %d).", strings.Join(names[:few], ", "), len(names))
	}
	return ". There are: " + strings.Join(names, ", ") + "."
}
