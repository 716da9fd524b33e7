package worker

import (
	"testing"
	"time"
)

// TestWhatCallsCostIsRecordedRarely, also by agents that call a model at every moment of the 24 hours that a step may take: all lanes
// together leave a run of the workflow enough of its 2,000 updates.
func TestWhatCallsCostIsRecordedRarely(t *testing.T) {
	for _, lanes := range []int{1, 8, 12, 100} {
		records := 0
		for age := time.Duration(0); age < 24*time.Hour; age += time.Second {
			began := age
			for age-began < together(age, lanes) {
				age += time.Second
			}
			records++
		}
		if all := records * lanes; records > 144 || all > 8*144 {
			t.Errorf("%d lanes record %d times each", lanes, records)
		}
	}
}
