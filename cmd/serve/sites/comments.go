package sites

import (
	"fmt"
	"slices"
	"strings"
)

// Comment is what a person wrote about a line of a plan or a diff while a question was open. It goes with their answer, and is kept
// until then.
type Comment struct {
	Gate  string // the id of the question
	Place string // path:line
	Text  string
}

// MostComments are kept of an answer.
const MostComments = 100

// CommentsOn are the comments that go with the answer to a question.
func (s *Site) CommentsOn(gate string) (own []Comment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.comments {
		if c.Gate == gate {
			own = append(own, c)
		}
	}
	return own
}

// AddComment keeps a comment, unless it is empty or one too many. Those on earlier questions go.
func (s *Site) AddComment(c Comment) bool {
	if c.Text == "" || c.Place == "" || len(s.CommentsOn(c.Gate)) >= MostComments {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.comments = append(slices.DeleteFunc(s.comments, func(old Comment) bool { return old.Gate != c.Gate }), c)
	return true
}

// DropComment takes the n-th comment on a question back.
func (s *Site) DropComment(gate string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.comments = slices.DeleteFunc(s.comments, func(c Comment) bool {
		if c.Gate == gate {
			n--
		}
		return c.Gate == gate && n == -1
	})
}

// WithComments is the reason of an answer: the comments on the lines, and what else was said.
func WithComments(comments []Comment, reason string) string {
	var all strings.Builder
	for _, c := range comments {
		fmt.Fprintf(&all, "%s: %s\n", c.Place, strings.ReplaceAll(c.Text, "\n", "\n  "))
	}
	all.WriteString(reason)
	return strings.TrimSpace(all.String())
}
