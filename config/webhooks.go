package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Webhook is an address that gets notices.
type Webhook struct {
	URL       string `json:"url,omitempty"`
	URLEnv    string `json:"url_env,omitempty"`    // the variable that holds the address
	SecretEnv string `json:"secret_env,omitempty"` // the variable that holds the secret which signs what is sent
	Format    string `json:"format,omitempty"`     // slack, ntfy; "": the notice itself
}

// Webhooks is a list of them.
type Webhooks []Webhook

// String gives the webhooks as a person would write them in short.
func (all Webhooks) String() string {
	var parts []string
	for _, w := range all {
		parts = append(parts, w.Place())
	}
	return strings.Join(parts, ", ")
}

// Place is the address, or the variable that holds it.
func (w Webhook) Place() string {
	if w.URLEnv != "" {
		return "$" + w.URLEnv
	}
	return w.URL
}

func readWebhooks(n *yaml.Node) (any, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, fault(n, "must be a list such as [{url_env: SLACK_URL, format: slack}]")
	}
	var all Webhooks
	for _, entry := range n.Content {
		w, err := readWebhook(resolve(entry))
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

func readWebhook(n *yaml.Node) (Webhook, error) {
	var w Webhook
	fields := map[string]struct {
		into  *string
		allow string
	}{
		"url": {&w.URL, "url"}, "url_env": {&w.URLEnv, "variable"}, "secret_env": {&w.SecretEnv, "variable"}, "format": {&w.Format, "slack|ntfy"},
	}
	if n.Kind != yaml.MappingNode {
		return w, fault(n, "must hold entries such as {url_env: SLACK_URL, format: slack}")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], resolve(n.Content[i+1])
		field, known := fields[name.Value]
		if !known {
			return w, fault(name, "holds %q, which is none of url, url_env, secret_env and format", clip(name.Value))
		}
		text, err := readText(value)
		if err != nil {
			return w, err
		}
		*field.into = text.(string)
		if problem := (&item{allow: field.allow}).checkText(*field.into); problem != "" {
			return w, fault(value, "has a %s that %s", name.Value, problem)
		}
	}
	switch {
	case (w.URL == "") == (w.URLEnv == ""):
		return w, fault(n, "holds an entry without one address").hint("give each either url or url_env")
	case w.SecretEnv != "" && w.Format != "":
		return w, fault(n, "holds a secret_env beside format %s", w.Format).hint("only notices in autopilot's own format are signed")
	}
	return w, nil
}
