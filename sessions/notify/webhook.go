package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Webhook posts a notice to an address.
type Webhook struct {
	Label  string // for people; the address itself may be a secret
	URL    string
	Secret string // signs the notice; "": nothing does
	Format string // slack, ntfy; "": the notice as JSON
	Now    func() time.Time
}

// Name is what the channel is called.
func (w Webhook) Name() string { return "webhook " + w.Label }

// client follows no redirection: what is sent is for the address that was named.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Send posts the notice; an answer that is not 2xx is an error.
func (w Webhook) Send(ctx context.Context, n Notice) error {
	r, err := w.request(ctx, n)
	if err != nil {
		return err
	}
	answer, err := client.Do(r)
	if failed := new(url.Error); errors.As(err, &failed) {
		return failed.Err // without the address
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("the server answered %s", answer.Status)
	}
	return nil
}

func (w Webhook) request(ctx context.Context, n Notice) (*http.Request, error) {
	body, header, err := w.form(n)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("its address is none")
	}
	r.Header = header
	r.Header.Set("User-Agent", "autopilot")
	if w.Format == "" {
		w.sign(r.Header, n.ID, body)
	}
	return r, nil
}

// form is the notice as the receiver takes it.
func (w Webhook) form(n Notice) ([]byte, http.Header, error) {
	switch w.Format {
	case "slack":
		body, err := json.Marshal(slack(n))
		return body, http.Header{"Content-Type": {"application/json"}}, err
	case "ntfy":
		return []byte(n.Text + "\n" + n.Command), ntfy(n), nil
	}
	body, err := json.Marshal(n)
	return body, http.Header{"Content-Type": {"application/json"}}, err
}

// sign sets the headers of standardwebhooks.com.
func (w Webhook) sign(header http.Header, id string, body []byte) {
	at := strconv.FormatInt(w.Now().Unix(), 10)
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", at)
	if w.Secret == "" {
		return
	}
	mac := hmac.New(sha256.New, signingKey(w.Secret))
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// signingKey is the key of a secret: behind whsec_ it is in base64, any other text is the key itself.
func signingKey(secret string) []byte {
	if encoded, is := strings.CutPrefix(secret, "whsec_"); is {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(secret)
}

// slack is a message of an incoming webhook of Slack. What would be a mention or a link there is text.
func slack(n Notice) any {
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type block struct {
		Type     string `json:"type"`
		Text     *text  `json:"text,omitempty"`
		Elements []text `json:"elements,omitempty"`
	}
	section := plain.Replace(strings.TrimSpace(n.Title + "\n" + n.Text))
	next := plain.Replace("`" + n.Command + "`")
	if n.URL != "" {
		next += " · <" + n.URL + "|open>"
	}
	return struct {
		Text   string  `json:"text"`
		Blocks []block `json:"blocks"`
	}{plain.Replace(n.Title), []block{
		{Type: "section", Text: &text{"mrkdwn", section}},
		{Type: "context", Elements: []text{{"mrkdwn", next}}},
	}}
}

// ntfyTags are the icons that ntfy shows.
var ntfyTags = map[Event]string{Question: "question", Done: "white_check_mark", Stopped: "x", Limit: "hourglass", Budget: "moneybag"}

// ntfy are the headers of a message. None offers an action: whoever reads the topic could answer with it.
func ntfy(n Notice) http.Header {
	priority := "3"
	if n.Event == Question {
		priority = "4"
	}
	h := http.Header{"Title": {mime.BEncoding.Encode("utf-8", n.Title)}, "Priority": {priority}, "Tags": {ntfyTags[n.Event]}}
	if n.URL != "" {
		h.Set("Click", n.URL)
	}
	return h
}
