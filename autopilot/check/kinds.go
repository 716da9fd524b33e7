package check

// kind is what a line can be to the tests of a language. Patterns of these kinds
// stand in one table, one row for a kind of a language; see patterns.go.
type kind int

const (
	// asserts: something that can fail a test.
	asserts kind = iota
	// argued: those of them that are only as good as their argument, which begins
	// where the pattern ends.
	argued
	// listing: a line of cases that are texts, each in its quotes.
	listing
	// hands: a call that hands over the power to fail the test; the group is the function.
	hands
	// pins: a check that wants one value.
	pins
	// loosens: a check that only bounds a value, or wants that there is one.
	loosens
	// tolerates: how far a value may be off; the group is a number, and larger is weaker.
	tolerates
	// rounds: how many digits have to agree; the group is a number, and smaller is weaker.
	rounds
	// waits: how long a test has patience; the group is a number. More is a doubt only.
	waits
	// skips: keeps a test, or others beside it, from running.
	skips
	// elsewhere: a reason to skip that lets the test run on other machines: a doubt only.
	elsewhere
	// swallows: keeps a failure from being seen. It counts where the block behind
	// it, or between its try and it, holds a check. Line and next line are read.
	swallows
	// exits: ends the process of the tests with success.
	exits
	// drops: takes tests out of the run while it goes.
	drops
	// perhapsDrops: the same, where honest code does it too: a doubt only.
	perhapsDrops
	// mocks: puts something else in place of a function or a module; the groups
	// together are its target.
	mocks
	// detects: code outside of tests that asks whether a test is running.
	detects
	// perhapsDetects: the same, where honest code does it too: a doubt only.
	perhapsDetects
	// silences: a comment or an attribute that switches a linter off for a whole file.
	silences
	kinds
)

// pattern is a row of the table. A pattern sees a line without its comments; of
// the kinds from swallows on it sees no content of strings either, unless the
// row says that it wants it, and silences sees the line as it is.
type pattern struct {
	language string // the name of a language of the other table
	kind     kind
	text     string // the syntax of package regexp
	quoted   bool   // the pattern reads what stands in strings
}

// rows are the patterns of one language by their kind.
type rows struct {
	patterns [kinds]*expression
	quoted   [kinds]bool
}

// compile gives each language its patterns.
func compile() map[string]*rows {
	all := map[string]*rows{}
	for _, p := range patterns {
		if all[p.language] == nil {
			all[p.language] = &rows{}
		}
		all[p.language].patterns[p.kind] = compileExpression(p.text)
		all[p.language].quoted[p.kind] = p.quoted
	}
	return all
}

// is gives the pattern of a kind; one that the language does not have is nil and
// matches nothing.
func (l *language) is(k kind) *expression { return l.rows.patterns[k] }
