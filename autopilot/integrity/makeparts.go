package integrity

import (
	"strings"
)

var (
	checkTarget  = lazily(`^(?:test|check|lint|vet|verify|validate|ci)(?:[\w-]*)$`)
	makeRule     = lazily(`^([\w./-]+(?: [\w./-]+)*)[ \t]*::?([^=]|$)`)
	makeVariable = lazily(`^(?:export |override )?(\w+)[ \t]*(?:::?|\+|\?|!)?=`)
	makeUse      = lazily(`\$[({](\w+)[)}]`)
	plainWord    = lazily(`[\w./-]+`)
)

// changedMake compares the rules of targets that check, recipes included, those
// that they lead to and that test, and the variables that these use.
func changedMake(c Change) []part {
	deciding := checkTargets(string(c.Before))
	return changedSections(c, func(content string) map[string]section {
		return sections(content, func(text string) (string, bool) {
			if m := makeVariable.FindStringSubmatch(text); m != nil {
				if deciding["$"+m[1]] {
					return "the make variable " + m[1], true
				}
				return "", true
			}
			if m := makeRule.FindStringSubmatch(text); m != nil {
				for name := range strings.FieldsSeq(m[1]) {
					if deciding[name] || checkTarget.MatchString(name) {
						return "the make target " + name, true
					}
				}
			}
			return "", text != "" && !strings.ContainsAny(text[:1], "\t #")
		})
	})
}

// checkTargets gives the names of targets that check, and $NAME of the variables
// that they use.
func checkTargets(content string) map[string]bool {
	rules := sections(content, func(text string) (string, bool) {
		if m := makeRule.FindStringSubmatch(text); m != nil && !makeVariable.MatchString(text) {
			return strings.Fields(m[1])[0], true
		}
		return "", text != "" && !strings.ContainsAny(text[:1], "\t #")
	})
	found := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		rule, is := rules[name]
		if !is || found[name] || !checkTarget.MatchString(name) && !testProgram.MatchString(rule.text) {
			return
		}
		found[name] = true
		for _, m := range makeUse.FindAllStringSubmatch(rule.text, -1) {
			found["$"+m[1]] = true
		}
		head, _, _ := strings.Cut(rule.text, "\n")
		for _, other := range plainWord.FindAllString(head, -1) {
			add(other)
		}
	}
	for name := range rules {
		if checkTarget.MatchString(name) {
			add(name)
		}
	}
	return found
}
