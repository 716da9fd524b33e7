package payload

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"

	"go.temporal.io/sdk/converter"
)

// Handler returns a codec server for Temporal's CLI and UI: POST to /encode and /decode. Browsers may call it from the listed
// origins only, such as "https://temporal.example.com". With a token, each request needs it as a bearer token. Without one, serve it
// on loopback or behind a proxy that authenticates.
func Handler(keys Keys, origins []string, token string) http.Handler {
	return allowOrigins(origins, requireToken(token, converter.NewPayloadCodecHTTPHandler(codecs(keys)...)))
}

// allowOrigins refuses other origins itself. The browser's check isn't enough on loopback: a page that has its own host name point
// there is of the same origin. Credentials are for a proxy that authenticates by cookie.
func allowOrigins(origins []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, h := r.Header.Get("Origin"), w.Header()
		switch {
		case origin == "": // not a browser
			next.ServeHTTP(w, r)
		case !slices.Contains(origins, origin):
			http.Error(w, fmt.Sprintf("origin %q isn't allowed. Add it to the origins of the codec server", origin), http.StatusForbidden)
		default:
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Credentials", "true")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Namespace")
			if r.Method != http.MethodOptions { // of a preflight, which has no token, the headers are the answer
				next.ServeHTTP(w, r)
			}
		}
	})
}

func requireToken(token string, next http.Handler) http.Handler {
	want := []byte("Bearer " + token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) == 0 {
			http.Error(w, "the bearer token is missing or wrong. Give it to Temporal's CLI with:\n  --codec-auth 'Bearer <token>'", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
