package live

import (
	"cmp"
	"fmt"
	"time"

	"autopilot/sessions/view"
)

// clock is a time of day.
func clock(t time.Time) string { return t.Format("15:04") }

// age is how long ago something was: 4s, 3m, 2h.
func age(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh", int(d.Hours()))
}

// dollars is an amount of money, to the cent.
func dollars(usd float64) string { return cmp.Or(view.Dollars(usd), "$0.00") }
