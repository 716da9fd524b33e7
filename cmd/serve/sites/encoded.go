package sites

import (
	"encoding/json"
	"sync"
)

// Encoded is what events tell of a session: encoded and masked once for all who hear it.
type Encoded struct{ Session, Gate, Works string }

// Encode has the session encoded when somebody first hears it.
func (s *Sight) Encode(masked func(string) string) {
	seen := s.Session
	s.Encoded = sync.OnceValues(func() (e Encoded, err error) {
		for of, to := range map[any]*string{&seen: &e.Session, &seen.Gate: &e.Gate, &seen.Works: &e.Works} {
			text, err := json.Marshal(of)
			if err != nil {
				return e, err
			}
			*to = masked(string(text))
		}
		return e, nil
	})
}
