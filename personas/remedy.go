package personas

// remedied is a backend that knows what a person does about credentials that it refuses; "" where it does not.
type remedied interface{ Remedy() string }

// RemedyOf is what a person does about credentials that a backend refuses.
func RemedyOf(b Backend) string {
	if knows, ok := b.(remedied); ok {
		return knows.Remedy()
	}
	return ""
}
