package bench

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkGrowth carries out specs of 1,000 and 3,000 tasks beside one of 200, with an agent that answers at once, and
// compares what a task takes of the processors, in the program and all that it starts. Other programs alter that less than
// the time on the clock.
func BenchmarkGrowth(b *testing.B) {
	small := newWork(b, 20).perTask(b)
	for _, phases := range []int{100, 300} {
		b.Run(fmt.Sprint(phases*runTasks), func(b *testing.B) {
			w := newWork(b, phases)
			var m measured
			for b.Loop() {
				m.add(w.perTask(b), small)
			}
			m.report(b, 2)
			b.ReportMetric(float64(w.peak), "peak-B")
			b.ReportMetric(110<<20, "goal-B")
		})
	}
}

// perTask is what a run takes of the processors, for each task.
func (w *work) perTask(b *testing.B) time.Duration {
	b.Helper()
	w.run(b, w.env)
	return w.processors / time.Duration(w.phases*runTasks)
}
