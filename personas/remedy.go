package personas

// RemedyOf is what a person does about credentials that a backend refuses; "" where it does not know. One that does has a
// method Remedy.
func RemedyOf(b Backend) string {
	if knows, ok := b.(interface{ Remedy() string }); ok {
		return knows.Remedy()
	}
	return ""
}
