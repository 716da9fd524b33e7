package results

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkReadingAnOutput shows that an output of any size is read about as fast as a program prints it.
func BenchmarkReadingAnOutput(b *testing.B) {
	for name, line := range map[string]string{
		"log":   "2026-11-21 12:00:00 INFO  [worker-7] handled a request in 12 ms, as in tests/test_calc.py::test_add\n",
		"json":  `{"Time":"2026-11-21T15:12:25Z","Action":"output","Package":"x/a","Test":"TestA","Output":"    a_test.go:3: no\n"}` + "\n",
		"xml":   `<testcase classname="a.B" name="adds" time="0.004"><system-out>some text</system-out></testcase>` + "\n",
		"blank": strings.Repeat("x", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			text := bytes.Repeat([]byte(line), max(1, (1<<20)/len(line)))
			b.SetBytes(int64(len(text)))
			r := NewTestReader("/repo")
			if name == "xml" {
				_, _ = r.Write([]byte("<testsuite>"))
			}
			for b.Loop() {
				_, _ = r.Write(text)
			}
		})
	}
}

func TestEndlessOutputTakesNoMemory(t *testing.T) {
	r := NewTestReader("/repo")
	_, _ = r.Write([]byte("<testsuite><testcase name='a'><system-out><![CDATA["))
	part := bytes.Repeat([]byte("not ok <testcase name=' "), 1<<15)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 64 {
		_, _ = r.Write(part)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were taken for %d", grown, 64*len(part))
	}
	_, _ = r.Write([]byte("]]></system-out></testcase></testsuite>"))
	if got := r.reported().results; len(got) != 1 || got["a"] != TestPassed {
		t.Errorf("got %v", got)
	}
}
