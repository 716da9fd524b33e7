package openai

import (
	"fmt"
	"net/http"
)

// redirectError says that a server redirects to another one, which would get the key and the conversation.
type redirectError struct{ to string }

func (e *redirectError) Error() string {
	return fmt.Sprintf("the server redirects to %s, and the key is not sent there", e.to)
}

// maxRedirects is how often a request is sent on, as net/http has it.
const maxRedirects = 10

// sameServer follows redirects within the server that was asked, and from http to https there.
func sameServer(r *http.Request, via []*http.Request) error {
	asked := via[0].URL
	secured := asked.Scheme == "http" && r.URL.Scheme == "https" && asked.Port() == "" && r.URL.Port() == "" && asked.Hostname() == r.URL.Hostname()
	if r.URL.Scheme == asked.Scheme && r.URL.Host == asked.Host || secured {
		if len(via) >= maxRedirects {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &redirectError{to: r.URL.Scheme + "://" + r.URL.Host}
}
