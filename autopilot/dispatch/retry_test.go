package dispatch

import (
	"slices"
	"testing"
)

func TestImportsAreFoundInTheUsualLanguages(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a.go":    {"package a\n\nimport (\n\t\"fmt\"\n\tx \"a/b\"\n)\n\nfunc f() {", []string{`"fmt"`, `"a/b"`}},
		"a.py":    {"import os\nfrom a.b import c\n\nimportant = 1\n", []string{"import os", "from a.b import c"}},
		"a.ts":    {"import { x } from './x'\nexport * from './y'\nconst z = require('z')\nconst w = 1\n", []string{"import { x } from './x'", "export * from './y'", "const z = require('z')"}},
		"a.rs":    {"use std::fs;\npub use crate::a;\nmod b;\nfn main() {}\n", []string{"use std::fs;", "pub use crate::a;", "mod b;"}},
		"a.c":     {"#include <stdio.h>\n# include \"a.h\"\nint x;\n", []string{"#include <stdio.h>", `# include "a.h"`}},
		"a.rb":    {"require 'json'\nrequire_relative 'b'\n", []string{"require 'json'", "require_relative 'b'"}},
		"Main.kt": {"package a\nimport b.C\n", []string{"import b.C"}},
		"a.txt":   {"nothing of the kind\n", nil},
	} {
		if got := importsOf(name, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := importsOf("a.go", "packag"); len(got) != 1 {
		t.Errorf("a file that does not parse: %q", got)
	}
}
