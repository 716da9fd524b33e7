package integrity

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
	// frees: a check in the form of one that pins, and that no one value is wanted
	// by: anything will do, or anything else than a value.
	frees
	// loosens: a check that only bounds a value, or wants that there is one.
	loosens
	// wants: begins a check that is none until a matcher stands behind it.
	wants
	// unheard: a check that ends later, where nothing waits for its end.
	unheard
	// tolerates: how far a value may be off; the group is a number, and larger is weaker.
	tolerates
	// rounds: how many digits have to agree; the group is a number, and smaller is weaker.
	rounds
	// nearly: a check of closeness that says no bound; it has the number of the row.
	nearly
	// waits: how long a test has patience; the group is a number. More is a doubt only.
	waits
	// skips: keeps a test, or others beside it, from running.
	skips
	// undoes: makes something else of a test than what is run, a generator say.
	undoes
	// sole: keeps all tests but this one from running.
	sole
	// depends: asks for the environment, the platform, or how the code was built;
	// within a condition it takes the force from the checks below.
	depends
	// never: begins a loop over nothing.
	never
	// inverts: wants what stands behind it to fail, checks as well. The first and
	// the last line of a block are read as one.
	inverts
	// aside: runs what stands behind it later or beside the test.
	aside
	// joins: waits for what was set aside.
	joins
	// shelves: gives a function a name within a test, the group. It checks nothing
	// until the test names it again.
	shelves
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
	// stubs: puts something else in place of what checks.
	stubs
	// rebinds: gives a name to something else, or takes it away; the group is the
	// name, its class before it where that is said.
	rebinds
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
	text     string  // the syntax of package regexp
	quoted   bool    // the pattern reads what stands in strings
	number   float64 // what a match stands for, where the kind has one
}

// rows are the patterns of one language by their kind.
type rows struct {
	patterns [kinds]*expression
	quoted   [kinds]bool
	numbers  [kinds]float64
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
		all[p.language].numbers[p.kind] = p.number
	}
	return all
}

// is gives the pattern of a kind; one that the language does not have is nil and
// matches nothing.
func (l *language) is(k kind) *expression { return l.rows.patterns[k] }
