package limits

import (
	"slices"
	"strconv"
	"time"

	"autopilot/autopilot/lazyregexp"
)

// Cause is why a request, or a dispatch, came to nothing. Only a crash spends an attempt.
type Cause string

// The causes. A limit that is used up passes by waiting only where its end is known.
const (
	Crash        Cause = ""
	LimitPassing Cause = "passing"
	LimitUsedUp  Cause = "used_up"
	OutOfOrder   Cause = "out_of_order"
	KeyRefused   Cause = "key_refused"
)

func (c Cause) limits() bool { return c == LimitPassing || c == LimitUsedUp }

// Trouble is what a backend knows of a request or a dispatch that came to nothing.
type Trouble struct {
	Status int           // of HTTP; 0: not known
	Text   string        // what the server or the program said
	Body   string        // the server's answer as it came; "": Text is all there is
	Wait   time.Duration // until the server wants to be asked again; 0: not known
	Lost   bool          // there was no connection to the server, or it broke off
	Agent  bool          // Text is the agent's own words: they may be about anything, and the last lines alone count
}

// Verdict is what trouble comes to.
type Verdict struct {
	Cause Cause
	Until time.Time // of a limit or an outage: when to try again, as far as the server says; else zero
}

// Statuses is what each status of a server means. Others from 400 to 499 are the request's own fault.
var Statuses = []struct {
	From, To int
	Cause    Cause
}{
	{401, 401, KeyRefused},
	{402, 402, LimitUsedUp},
	{403, 403, KeyRefused},
	{408, 409, OutOfOrder},
	{429, 429, LimitPassing},
	{500, 599, OutOfOrder},
}

// Judge tells a limit, an outage, a refused key and a crash apart, for each kind of backend. A status decides, but for
// what words say more exactly: a quota behind 403, a key behind 400, an overload behind 429.
func Judge(t Trouble, now time.Time) Verdict {
	said := read(t.Text, now)
	if said.Kind == Crash && t.Body != "" {
		said = read(t.Body, now)
	}
	if said.Kind == Crash && !t.Agent && slices.ContainsFunc(lastLines(t.Text, errorLines), refusesKey) {
		said.Kind = KeyRefused
	}
	status := t.Status
	if status < 400 { // what began well did not hold
		status = 0
	}
	if status == 0 && !t.Agent {
		status = StatusIn(t.Text)
	}
	v := Verdict{Cause: weigh(status, said.Kind), Until: said.Until}
	if v.Cause == Crash && status == 0 && t.Lost {
		v.Cause = OutOfOrder
	}
	if v.Until.IsZero() && t.Wait > 0 {
		v.Until = now.Add(t.Wait)
	}
	if v.Cause == Crash || v.Cause == KeyRefused {
		v.Until = time.Time{}
	}
	return v
}

// weigh holds what a status means against what the words say.
func weigh(status int, said Cause) Cause {
	means := meaning(status)
	switch {
	case status == 0, said == LimitUsedUp && status != 401:
		return said
	case means == KeyRefused, means == LimitUsedUp:
		return means
	case said.limits(), said == KeyRefused && status < 500, said == OutOfOrder && means == LimitPassing:
		return said
	}
	return means
}

func meaning(status int) Cause {
	for _, s := range Statuses {
		if s.From <= status && status <= s.To {
			return s.Cause
		}
	}
	return Crash
}

// errorLines is how many lines of an error may tell of a refused key: programs explain at length what to do about it.
const errorLines = 40

func refusesKey(line string) bool { return causeInLine(line) == KeyRefused }

// namedStatus are how programs name the status that a server answered with.
var namedStatus = lazyregexp.New(`(?im)(?:"(?:code|status|statusCode)"\s*:\s*|\bstatus(?: code)?:?\s+|API Error:\s*|^[^\pL\d\n]*)([45]\d\d)\b`)

// StatusIn finds the status that an error names; 0: none.
func StatusIn(text string) int {
	m := namedStatus.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	status, _ := strconv.Atoi(m[1]) // three digits
	return status
}
