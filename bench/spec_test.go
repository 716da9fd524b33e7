package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"autopilot/spec"
)

// BenchmarkSpec reads specs of two thousand lines, beside the parser of Markdown alone: one as people write them, and one
// that is nothing but phases.
func BenchmarkSpec(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"prose", prose()}, {"phases", nothingButPhases()}} {
		b.Run(c.name, func(b *testing.B) {
			src := []byte(c.text)
			pair{
				ours: taking(b, func() error {
					_, err := spec.Parse(src)
					return err
				}),
				theirs: taking(b, func() error {
					goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList)).Parser().Parse(text.NewReader(src))
					return nil
				}),
			}.compare(b, 201, 1.3)
			b.ReportMetric(float64(strings.Count(c.text, "\n")), "lines")
		})
	}
}

// prose is a spec of twenty phases with the text that people put around them.
func prose() string {
	var s strings.Builder
	s.WriteString("# Import of orders\n\n**Status:** accepted\n\n## Overview\n\n")
	for i := range 75 {
		fmt.Fprintf(&s, "The importer of part %d reads files that partners send, and *never* trusts them: see `import/reader.go` and\n"+
			"[the format](docs/format.md). What cannot be read is kept beside the file, with a line that says why.\n\n", i)
	}
	s.WriteString("## Success Criteria\n\n")
	for i := range 25 {
		fmt.Fprintf(&s, "- [ ] When a file of kind %d is sent twice, then its orders shall be there **once**\n", i)
	}
	s.WriteString("\n## Implementation Order\n\n")
	for i := range 20 {
		phase(&s, i+1)
	}
	return s.String()
}

func phase(s *strings.Builder, n int) {
	fmt.Fprintf(s, "### Phase %d: Kind %d of files\n<!-- complexity: medium -->\n\n", n, n)
	for i := range 8 {
		fmt.Fprintf(s, "Step %d reads the header first. A column that is missing is an error with its name; one too many is a warning,\n"+
			"since partners add them without a word. Numbers have a point, never a comma.\n\n", i+1)
	}
	for i := range 16 {
		fmt.Fprintf(s, "- `Field%d` of the record, at most %d bytes\n  - empty where the partner left it out\n", i, 10*(i+1))
	}
	s.WriteString("\n```go\n" + strings.Repeat("func (r *Reader) Next() (Record, error) { return r.next(context.Background()) }\n", 12) + "```\n\n")
	s.WriteString("| column | type | note |\n|---|---|---|\n" + strings.Repeat("| `amount` | decimal | in cents |\n", 8) + "\n")
}

// nothingButPhases is the worst that a spec of that length can be: 900 phases in a list.
func nothingButPhases() string {
	return "# Import\n\n## Implementation Order\n\n" + strings.Repeat("1. **Name** text\n   - [ ] more `code`\n", 900) + "\n" + strings.Repeat("Text.\n\n", 100)
}
