package personas

// CutMark stands where something was left out of a text.
const CutMark = "\n[… cut …]\n"

// Shorten keeps the beginning and the end of a text of more than limit bytes. Secrets go first: half of one would not be
// known as one. A nil mask knows none.
func (m *Mask) Shorten(text string, limit int) string {
	if len(text) > limit {
		text = m.Replace(text)
	}
	if len(text) <= limit {
		return text
	}
	return text[:limit/2] + CutMark + text[len(text)-limit/2:]
}
