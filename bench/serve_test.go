package bench

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"autopilot/personas/replay"
)

// thinking is how long the model takes for a turn. Few real ones are as quick: what a run does by itself, where others could be in
// its way, is a larger part of this one. Of much less, what else a machine does would be more than the two percent.
const thinking = time.Second

// BenchmarkServe is a run of ten tasks that people watch, beside the same run that nobody does: 200 clients read the session's
// events as they come, 50 take far longer. They, autopilot serve and the model are all on the machine of the run.
func BenchmarkServe(b *testing.B) {
	w := newWork(b, 1)
	recordings, err := replay.Load(w.replay)
	if err != nil {
		b.Fatal(err)
	}
	turns := &modelServer{tb: b, recordings: []*replay.File{recordings}}
	model := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		time.Sleep(thinking)
		turns.ServeHTTP(to, r)
	}))
	defer model.Close()
	w.env = append(w.env, "OPENAI_BASE_URL="+model.URL+"/v1", "OPENAI_API_KEY=k")
	var lost, peak int64
	var busy []float64 // of a processor's time, what autopilot serve took
	pair{
		ours: func() time.Duration {
			w.asks(b)
			s := newServed(b, w.program, w.repo, w.env)
			s.watch(s.ids()[0], 200, 50)
			took := w.goesOn(b)
			lost, peak = lost+s.lost.Load(), max(peak, held(s.process.Pid))
			busy = append(busy, s.end().Seconds()/took.Seconds())
			return took
		},
		theirs: func() time.Duration {
			w.asks(b)
			return w.goesOn(b)
		},
	}.compare(b, 5, 1.02)
	b.ReportMetric(float64(lost), "connections-lost")
	b.ReportMetric(100*median(busy), "%-of-a-processor")
	b.ReportMetric(float64(peak), "peak-B")
	b.ReportMetric(64<<20, "goal-B")
}

// asks begins the work, and ends with the question about its plan.
func (w *work) asks(b *testing.B) {
	b.Helper()
	w.begin(b)
	watched(b, w.thinks("docs/spec.md", "--review-plans"), 3)
}

// goesOn answers the question, and is how long the run takes that does all the rest.
func (w *work) goesOn(b *testing.B) time.Duration {
	b.Helper()
	answer := w.thinks("answer", "docs/spec.md", "yes")
	if out, err := answer.CombinedOutput(); err != nil {
		b.Fatalf("the answer: %v: %s", err, out)
	}
	return taking(b, func() error {
		watched(b, w.thinks("docs/spec.md"), 0)
		return nil
	})()
}

// BenchmarkServeSessions is what it takes to show twenty sessions whose journals have 50,000 events each: the first page of a server
// that was just started, the same when it is asked again, and the memory once somebody watches each session.
func BenchmarkServeSessions(b *testing.B) {
	program, env, repo := build(b, "cmd/autopilot"), alone(b), b.TempDir()
	makeSessions(b, repo, env, 20, 50_000)
	b.Run("cold", func(b *testing.B) {
		var first []float64
		for b.Loop() {
			for range 11 {
				s := newServed(b, program, repo, env)
				began := time.Now()
				s.get("/")
				first = append(first, float64(time.Since(began)))
				s.end()
			}
		}
		reportPage(b, median(first), 50*time.Millisecond)
	})
	s := newServed(b, program, repo, env)
	defer s.end()
	b.Run("warm", func(b *testing.B) {
		var again []float64
		for b.Loop() {
			for range 101 {
				began := time.Now()
				s.get("/")
				again = append(again, float64(time.Since(began)))
			}
		}
		reportPage(b, median(again), 50*time.Millisecond)
		b.ReportMetric(float64(zipped(b, s.get("/"))), "zipped-B")
		b.ReportMetric(60<<10, "goal-zipped-B")
	})
	b.Run("memory", func(b *testing.B) {
		if _, err := os.Stat("/proc/self/status"); err != nil {
			b.Skip("the memory of a process is read from /proc")
		}
		for b.Loop() {
			b.ReportMetric(float64(held(s.process.Pid)), "list-B")
			began := time.Now()
			for _, id := range s.ids() {
				s.get("/s/" + id)
				s.watch(id, 1, 0)
			}
			b.ReportMetric(time.Since(began).Seconds(), "all-pages-s")
		}
		reportPeak(b, held(s.process.Pid), 64<<20)
	})
}

func reportPage(b *testing.B, ns float64, goal time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ns, "page-ns")
	b.ReportMetric(float64(goal), "goal-page-ns")
}

// zipped is how many bytes a text has that is compressed on its way.
func zipped(b *testing.B, text string) int {
	b.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write([]byte(text)); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Len()
}
