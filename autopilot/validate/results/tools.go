package results

import (
	"slices"
	"strings"
)

// Tool is a test program.
type Tool struct {
	Name     string
	commands []string      // the words that run it
	read     func() format // reads what it prints; nil where that tells nothing
	also     []string      // others that read what it prints, if it is told to print so

	// alone gets the words behind those that run it, and gives the ones that run a single test in their place; false means
	// that it cannot be done for this test.
	alone func(folder string, words segment, test string) (segment, bool)
}

// Tools are the test programs that are known, in the order in which they are asked for a command, and for a line of an
// output.
var Tools = []Tool{
	{"go", []string{"go test"}, func() format { return newGoFormat() }, nil, aloneGo},
	{"cargo", []string{"cargo test"}, func() format { return &cargoFormat{} }, nil, aloneCargo},
	{"pytest", []string{"pytest", "py.test", "python -m pytest"}, func() format { return &pytestFormat{} }, []string{"tap"}, alonePytest},
	{"unittest", []string{"python -m unittest"}, func() format { return &unittestFormat{} }, nil, aloneUnittest},
	{"tap", nil, func() format { return &tapFormat{} }, nil, nil},
	{"node", []string{"node", "tsx"}, func() format { return &nodeFormat{} }, []string{"tap", "junit"}, aloneNode},
	{"jest", []string{"jest", "react-scripts test"}, func() format { return &jestFormat{} }, []string{"tap", "junit"}, aloneJest},
	{"vitest", []string{"vitest"}, func() format { return &vitestFormat{} }, []string{"tap", "junit"}, aloneVitest},
	{"mocha", []string{"mocha"}, func() format { return &mochaFormat{} }, []string{"tap", "junit"}, aloneMocha},
	{"maven", []string{"mvn"}, func() format { return &mavenFormat{} }, nil, aloneMaven},
	{"gradle", []string{"gradle"}, nil, nil, aloneGradle},
}

// in is where the words behind those that run the program begin in a simple command; -1: it does not run it. Node runs
// tests with --test alone.
func (t Tool) in(s segment) int {
	for _, command := range t.commands {
		words := strings.Fields(command)
		at := s.find(words...)
		if at < 0 || t.Name == "node" && !slices.ContainsFunc(s, func(w string) bool { return bare(w) == "--test" }) {
			continue
		}
		return at + len(words)
	}
	return -1
}
