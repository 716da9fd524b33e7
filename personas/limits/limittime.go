package limits

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
)

// pacific is the zone of Gemini's days.
const pacific = "America/Los_Angeles"

var (
	retryHeader = lazyregexp.New(`(?i)retry[-_ ]after["']?\s*[:=]\s*["']?([^"'\n}]+)`)
	span        = lazyregexp.New(`(?i)(?:again|retry(?:ing)?|wait(?:ing)?|resets?|reset your .{1,20}|available)\b[^.\n\d]{0,40}?\b(?:in|after|for|wait)\s+(?:about |approximately |~)?((?:\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|s|m|h|d)\b?[\s,]*(?:and\s+)?)+)`)
	replenished = lazyregexp.New(`(?i)replenished in (\d{2,3}):(\d\d):(\d\d)`)
	spanPart    = lazyregexp.New(`(?i)(\d+(?:\.\d+)?)\s*(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|s|m|h|d)`)
	stamp       = lazyregexp.New(`(?i)(?:\||resets?(?: at| on)?:?\s+|until:?\s+|reset["']?\s*[:=]\s*["']?)(\d{10}(?:\d{3})?)\b`)
	iso         = lazyregexp.New(`(\d{4}-\d\d-\d\d)(?:[T ]|\s+at\s+)(\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?`)
	isoDay      = lazyregexp.New(`(?i)(?:on|until|resets?)\s+(\d{4}-\d\d-\d\d)\b`)
	clockTime   = lazyregexp.New(`(?i)(?:resets?|again|until|back|available|access|renews?)\b(?:\s+(?:at|on|by))?\s*:?\s*((?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|tomorrow|today)\b,?\s*)?((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4}\b)?,?\s*)?(?:at\s+)?(?:(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*([ap]\.?m\b\.?)?)?\s*(?:\(?(UTC|GMT|[A-Z][A-Za-z_]+/[A-Za-z_/+-]+)\)?)?`)
)

var units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// limitEnd reads until when a limit lasts from its words. Zero: they do not say, or it is over.
func limitEnd(words string, now time.Time) time.Time {
	for _, read := range []func(string, time.Time) time.Time{headerIn, spanIn, stampIn, isoIn, clockIn} {
		if at := read(words, now); at.After(now) {
			return at
		}
	}
	return time.Time{}
}

func headerIn(words string, now time.Time) time.Time {
	if m := retryHeader.FindStringSubmatch(words); m != nil {
		return afterHeader(m[1], now)
	}
	return time.Time{}
}

// afterHeader reads both forms of Retry-After, and seconds with a fraction or an s.
func afterHeader(value string, now time.Time) time.Time {
	value = strings.TrimSpace(value)
	if at, err := http.ParseTime(value); err == nil {
		return at
	}
	first, _, _ := strings.Cut(value, " ")
	s, err := strconv.ParseFloat(strings.TrimRight(first, "s,.)"), 64)
	if err != nil || s <= 0 || s > 1e7 {
		return time.Time{}
	}
	return now.Add(time.Duration(s * float64(time.Second)))
}

// spanIn reads "try again in 1m30s", "retry after 26 seconds", "3 days 4 hours", "replenished in 01:02:03".
func spanIn(words string, now time.Time) time.Time {
	m := span.FindStringSubmatch(words)
	if m == nil {
		if left := replenished.FindStringSubmatch(words); left != nil {
			m = []string{"", left[1] + "h" + left[2] + "m" + left[3] + "s"}
		}
	}
	if m == nil {
		return time.Time{}
	}
	var total time.Duration
	for _, part := range spanPart.FindAllStringSubmatch(m[1], -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil || n > 1e6 {
			return time.Time{}
		}
		name := strings.ToLower(part[2])
		unit := units[name[0]]
		if name == "ms" || strings.HasPrefix(name, "milli") {
			unit = time.Millisecond
		}
		total += time.Duration(n * float64(unit))
	}
	return now.Add(total)
}

func stampIn(words string, now time.Time) time.Time {
	if m := stamp.FindStringSubmatch(words); m != nil {
		return epoch(m[1], now)
	}
	return time.Time{}
}

// epoch reads seconds or milliseconds since 1970 that lie within a year.
func epoch(text string, now time.Time) time.Time {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return time.Time{}
	}
	if n > 1e12 {
		n /= 1000
	}
	at := time.Unix(n, 0).In(now.Location())
	if at.Before(now.AddDate(-1, 0, 0)) || at.After(now.AddDate(1, 0, 0)) {
		return time.Time{}
	}
	return at
}

// isoIn reads a date with a time, or a date alone. Without a zone it is in that of now.
func isoIn(words string, now time.Time) time.Time {
	if m := iso.FindStringSubmatch(words); m != nil {
		clock, zone := m[2]+m[3], m[4]
		if m[3] == "" {
			clock += ":00"
		}
		if at, err := time.Parse("2006-01-02 15:04:05 -0700", m[1]+" "+clock+" "+strings.ReplaceAll(zone, ":", "")); err == nil {
			return at
		}
		in := now.Location()
		if zone != "" {
			in = time.UTC
		}
		if at, err := time.ParseInLocation("2006-01-02 15:04:05", m[1]+" "+clock, in); err == nil {
			return at
		}
	}
	if m := isoDay.FindStringSubmatch(words); m != nil {
		if at, err := time.ParseInLocation("2006-01-02", m[1], now.Location()); err == nil {
			return at
		}
	}
	return time.Time{}
}

// clockIn reads "resets 3am", "resets at 3:30pm (Europe/Berlin)", "resets Oct 21, 3pm", "try again at Nov 5th, 2025
// 11:33 PM", "resets Mon 9:00": the next such time after now.
func clockIn(words string, now time.Time) time.Time {
	for _, m := range clockTime.FindAllStringSubmatch(words, -1) {
		if at := clockOf(m, now); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

func clockOf(m []string, now time.Time) time.Time {
	day, date, half := strings.ToLower(m[1]), m[2], strings.ToLower(m[5])
	if m[3] == "" && date == "" || m[3] != "" && m[4] == "" && half == "" && date == "" {
		return time.Time{} // "again 3" is no time
	}
	if m[6] != "" {
		zone, err := time.LoadLocation(strings.Replace(m[6], "GMT", "UTC", 1))
		if err != nil {
			return time.Time{}
		}
		now = now.In(zone)
	}
	hour, ok := hourOf(m[3], half)
	minute, _ := strconv.Atoi(m[4])
	if !ok || minute > 59 {
		return time.Time{}
	}
	if date != "" {
		return dated(date, hour, minute, now)
	}
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 0, 0, now.Location())
	for i := 0; i < 8 && (!at.After(now) || !onDay(day, at, now)); i++ {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// hourOf gives the hour of a day, 0 for none.
func hourOf(text, half string) (int, bool) {
	if text == "" {
		return 0, true
	}
	hour, _ := strconv.Atoi(text)
	if half == "" {
		return hour, hour < 24
	}
	if hour < 1 || hour > 12 {
		return 0, false
	}
	hour %= 12
	if half[0] == 'p' {
		hour += 12
	}
	return hour, true
}

func onDay(day string, at, now time.Time) bool {
	switch {
	case len(day) < 3 || strings.HasPrefix(day, "today"):
		return true
	case strings.HasPrefix(day, "tomorrow"):
		return at.YearDay() != now.YearDay()
	}
	return strings.EqualFold(at.Weekday().String()[:3], day[:3])
}

var dateForm = lazyregexp.New(`(?i)^([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?`)

// dated is a time on a day of a month, of the next year where it is long over in this one.
func dated(date string, hour, minute int, now time.Time) time.Time {
	m := dateForm.FindStringSubmatch(date)
	if m == nil {
		return time.Time{}
	}
	month, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:]))
	if err != nil {
		return time.Time{}
	}
	day, _ := strconv.Atoi(m[2])
	year, _ := strconv.Atoi(m[3])
	at := time.Date(max(year, now.Year()), month.Month(), day, hour, minute, 0, 0, now.Location())
	if year == 0 && at.Before(now.AddDate(0, -6, 0)) {
		at = at.AddDate(1, 0, 0)
	}
	return at
}

// nextMidnight is the next beginning of a day in a zone; in UTC-8 where the machine does not know the zone.
func nextMidnight(now time.Time, zone string) time.Time {
	in, err := time.LoadLocation(zone)
	if err != nil {
		in = time.FixedZone("UTC-8", -8*60*60)
	}
	now = now.In(in)
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, in)
}
