package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"autopilot/personas"
	"autopilot/personas/limits"
)

// ErrNoList says that a server has no list of its models, or none that can be
// read. It may work all the same.
var ErrNoList = errors.New("the server has no list of its models")

// maxList bounds how much of a list is read, in bytes.
const maxList = 2 << 20

// List asks the server for the names of the models that it has. No tokens are
// spent. A refused key is a *personas.AuthError, and what is no list ErrNoList;
// a server that cannot be reached is a plain error.
func (m *Model) List(ctx context.Context) ([]string, error) {
	if path := m.o.Quirks.KeyPath; path != "" && m.o.APIKey != "" {
		if _, err := m.get(ctx, path); err != nil && !errors.Is(err, ErrNoList) {
			return nil, err
		}
	}
	body, err := m.get(ctx, "/models")
	if err != nil {
		return nil, err
	}
	return listed(body)
}

// ListAt is List where its address lacks the given end, as addresses often do.
func (m *Model) ListAt(ctx context.Context, end string) ([]string, error) {
	body, err := m.get(ctx, end+"/models")
	if err != nil {
		return nil, err
	}
	return listed(body)
}

// get reads what the server has at a path behind its address.
func (m *Model) get(ctx context.Context, path string) ([]byte, error) {
	return m.getAt(ctx, strings.TrimRight(m.address(), "/")+path)
}

// getAt reads what the server has at a whole address.
func (m *Model) getAt(ctx context.Context, address string) ([]byte, error) {
	return m.send(ctx, http.MethodGet, address, http.NoBody)
}

func (m *Model) send(ctx context.Context, method, address string, sent io.Reader) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil {
		return nil, fmt.Errorf("asking for %s: %w", address, err)
	}
	m.sign(r)
	resp, err := (&http.Client{Transport: m.o.Transport, CheckRedirect: sameServer}).Do(r)
	if err != nil {
		return nil, unwrapped(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", address, err)
	}
	if resp.StatusCode == http.StatusOK {
		return body, nil
	}
	switch v := limits.Judge(limits.Trouble{Status: resp.StatusCode, Text: string(body)}, m.now()); v.Cause {
	case limits.KeyRefused:
		return nil, &personas.AuthError{Detail: resp.Status}
	case limits.LimitPassing, limits.LimitUsedUp:
		return nil, &personas.LimitError{Detail: resp.Status, UsedUp: v.Cause == limits.LimitUsedUp, Until: v.Until}
	case limits.OutOfOrder:
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	return nil, ErrNoList
}

// sign puts the key where the server looks for it when it is asked for a list.
func (m *Model) sign(r *http.Request) {
	q := m.o.Quirks
	switch {
	case m.o.APIKey == "":
	case q.ListVersion != "":
		r.Header.Set("X-Api-Key", m.o.APIKey)
		r.Header.Set("Anthropic-Version", q.ListVersion)
	case q.KeyHeader != "":
		r.Header.Set(q.KeyHeader, m.o.APIKey)
	default:
		r.Header.Set("Authorization", "Bearer "+m.o.APIKey)
	}
}

// address is where the server is, also where that is OpenAI's own.
func (m *Model) address() string {
	if m.o.BaseURL != "" {
		return m.o.BaseURL
	}
	return presets[0].BaseURL
}

// unwrapped is the cause of a request that failed, without the address that
// whoever asked knows.
func unwrapped(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// listed reads the names out of a list. Where models have further names, these
// count too.
func listed(body []byte) ([]string, error) {
	var list struct {
		Data []struct {
			ID      string   `json:"id"`
			Aliases []string `json:"aliases"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil || list.Data == nil {
		return nil, ErrNoList
	}
	names := []string{}
	for _, m := range list.Data {
		names = append(append(names, m.ID), m.Aliases...)
	}
	return names, nil
}

// Lists says whether a list has a model, in the ways in which servers take a
// name that is not quite the one they list: without the folder it is in, its
// tag, its date, or with a wish as to how it is served.
func Lists(list []string, model string) bool {
	bare, _, _ := strings.Cut(model, ":")
	return slices.ContainsFunc(list, func(name string) bool {
		name = strings.TrimPrefix(name, "models/")
		return name == model || name == model+":latest" || strings.Contains(name, "/") && name == bare || strings.HasPrefix(name, model+"-20")
	})
}
