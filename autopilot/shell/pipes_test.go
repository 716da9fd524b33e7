package shell

import "testing"

func TestPipesOfALineAreFound(t *testing.T) {
	for line, want := range map[string]struct{ has, ends bool }{
		"go test ./... | tail -4":                      {true, true},
		"cd sub && yes |& head -1":                     {true, true},
		"yes | head -1; go test":                       {true, false},
		"go test; yes | head -1":                       {true, true},
		"yes | head -1 && go test | tail":              {true, false},
		"(cd sub; yes | head -1)":                      {true, true},
		"for f in a b; do cat $f | head -1; done":      {true, true},
		"if yes | head -1; then true; fi":              {true, false},
		"set -e; seq 99999 | head -1; seq 9 | head -1": {true, false},
		"go test ./... || true":                        {false, false},
		"echo 'a | b'":                                 {false, false},
		"echo $(yes | head -1)":                        {true, false},
		"":                                             {false, false},
		"echo 'open":                                   {true, false},
	} {
		if has, ends := HasPipe(line), EndsInPipe(line); has != want.has || ends != want.ends {
			t.Errorf("%q: has a pipe %v, ends in one %v", line, has, ends)
		}
	}
}
