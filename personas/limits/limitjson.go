package limits

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// limitCodes are what providers write as type, code, status or reason of an error; lower case.
var limitCodes = map[string]Cause{
	"429":              LimitPassing,
	"rate_limit_error": LimitPassing, "rate_limit_exceeded": LimitPassing, "rate_limited": LimitPassing, "rate_limit": LimitPassing,
	"ratelimitreached": LimitPassing, "ratelimitexceeded": LimitPassing, "rate_limit_reached": LimitPassing, "too_many_requests": LimitPassing,
	"rate_limit_reached_error": LimitPassing, "too many requests": LimitPassing, "toomanyrequests": LimitPassing,
	"resource_exhausted": LimitPassing, "service_tier_capacity_exceeded": LimitPassing, "throttlingexception": LimitPassing,
	"throttling": LimitPassing, "throttling.ratequota": LimitPassing, "throttling.burstrate": LimitPassing, "limit_requests": LimitPassing,

	"402": LimitUsedUp, "insufficient_quota": LimitUsedUp, "insufficient_balance": LimitUsedUp, "insufficient_credits": LimitUsedUp,
	"insufficient_user_quota": LimitUsedUp, "exceeded_current_quota_error": LimitUsedUp, "quota_exceeded": LimitUsedUp, "quotaexceeded": LimitUsedUp,
	"billing_hard_limit_reached": LimitUsedUp, "billing_error": LimitUsedUp, "billing_not_active": LimitUsedUp, "payment_required": LimitUsedUp,
	"usage_limit_reached": LimitUsedUp, "usage_not_included": LimitUsedUp, "throttling.allocationquota": LimitUsedUp, "arrearage": LimitUsedUp,

	"500": OutOfOrder, "502": OutOfOrder, "503": OutOfOrder, "504": OutOfOrder, "529": OutOfOrder,
	"overloaded_error": OutOfOrder, "engine_overloaded_error": OutOfOrder, "engine_overloaded": OutOfOrder, "server_overloaded": OutOfOrder,
	"server_error": OutOfOrder, "internal_server_error": OutOfOrder, "unavailable": OutOfOrder,

	"401": KeyRefused, "403": KeyRefused, "invalid_api_key": KeyRefused, "authentication_error": KeyRefused, "api_key_invalid": KeyRefused,

	// Zhipu and Z.ai: docs.bigmodel.cn/cn/api/api-code
	"1302": LimitPassing, "1303": LimitPassing, "1305": LimitPassing, "1312": LimitPassing, "1313": LimitPassing,
	"1113": LimitUsedUp, "1304": LimitUsedUp, "1308": LimitUsedUp, "1309": LimitUsedUp, "1310": LimitUsedUp,
}

// jsonSearch bounds how many places of a text are tried as the beginning of an error's JSON, counted from its end.
const jsonSearch = 200

// causeInJSON finds the JSON of an error at the end of a text, with nothing before it on its line but what programs
// put in front of an error.
func causeInJSON(text string, now time.Time) (Limit, bool) {
	if !strings.ContainsAny(text, "{") {
		return Limit{}, false
	}
	end := len(text)
	for range jsonSearch {
		cut := strings.LastIndexByte(text[:end], '\n')
		if said, ok := errorJSON(text[cut+1:]); ok {
			return limitOf(said, now)
		}
		if cut < 0 {
			break
		}
		end = cut
	}
	return Limit{}, false
}

// errorJSON reads the error that a text consists of, after what stands before errors.
func errorJSON(text string) (map[string]any, bool) {
	for {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[{") || strings.HasPrefix(text, "[\n") {
			if said, ok := wholeError(text); ok {
				return said, true
			}
		}
		rest := text[len(beforeError.FindString(text)):]
		if rest == text || rest == "" {
			return nil, false
		}
		text = rest
	}
}

func wholeError(text string) (map[string]any, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || strings.Trim(text[d.InputOffset():], " \t\r\n]})\"'.,;") != "" {
		return nil, false
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	object, ok := v.(map[string]any)
	if !ok || !isError(object) {
		return nil, false
	}
	return object, true
}

// isError knows an error's object from any other: a reply, a log line, a test's event.
func isError(object map[string]any) bool {
	switch e := object["error"].(type) {
	case map[string]any:
		return true
	case string:
		return e != ""
	}
	if object["type"] == "error" || object["object"] == "error" {
		return true
	}
	_, coded := object["code"]
	if _, status := object["statusCode"]; status && !coded { // Azure's gateway
		coded = true
	}
	_, typed := object["type"]
	_, told := object["message"].(string)
	return told && len(object) == 1 || told && coded && (typed || object["request_id"] != nil || len(object) <= 3)
}

// limitOf judges an error by its codes, then by its words.
func limitOf(object map[string]any, now time.Time) (Limit, bool) {
	var found Cause
	var said []string
	minute := false
	eachText(object, func(key, text string) {
		switch key {
		case "type", "code", "status", "statusCode", "reason", "error", "__type":
			if kind, ok := limitCodes[strings.ToLower(text)]; ok && found != LimitUsedUp {
				found = kind
			}
		}
		switch key {
		case "message", "error", "detail", "raw":
			said = append(said, text)
			if kind := causeInLine(strings.Join(strings.Fields(text), " ")); kind != Crash && found != LimitUsedUp {
				found = kind
			}
		case "quotaId":
			if strings.Contains(text, "PerDay") {
				found = LimitUsedUp
			}
			minute = minute || strings.Contains(text, "PerMinute")
		}
	})
	if minute { // Gemini's words are those of a used-up quota
		found = LimitPassing
	}
	words := strings.Join(said, "\n")
	if found == Crash || overflowWords.MatchString(words) {
		return Limit{}, false
	}
	limit := Limit{Kind: found, Until: namedEnd(object, now)}
	if limit.Until.IsZero() {
		limit.Until = limitEnd(words, chinaFor(object, now))
	}
	return limit, true
}

// eachText visits the texts and numbers of an error, also those of errors within it, at most 6 deep.
func eachText(object map[string]any, visit func(key, text string)) {
	var walk func(key string, v any, depth int)
	walk = func(key string, v any, depth int) {
		switch v := v.(type) {
		case string:
			visit(key, v)
		case json.Number:
			visit(key, v.String())
		case []any:
			for _, e := range v {
				if depth < 6 {
					walk(key, e, depth+1)
				}
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if depth < 6 {
					walk(k, v[k], depth+1)
				}
			}
		}
	}
	walk("", object, 0)
}

// namedEnd reads the fields that name an end. Zero: none does, or it is over.
func namedEnd(object map[string]any, now time.Time) (end time.Time) {
	daily := false
	eachText(object, func(key, text string) {
		var at time.Time
		switch strings.ToLower(key) {
		case "retrydelay":
			if d, err := time.ParseDuration(text); err == nil {
				at = now.Add(d)
			}
		case "retry_after", "retry-after", "retryafter", "retry_after_seconds", "resets_in_seconds":
			at = afterHeader(text, now)
		case "resets_at", "resetsat", "x-ratelimit-reset", "reset_at":
			if at = epoch(text, now); at.IsZero() {
				at = isoIn(text, now)
			}
		case "quotaid":
			daily = daily || strings.Contains(text, "PerDay")
		}
		if at.After(now) && at.After(end) {
			end = at
		}
	})
	if daily { // Gemini's RetryInfo names seconds also where the day's quota is used up
		return nextMidnight(now, pacific)
	}
	return end
}

// chinaFor gives now in the zone that Zhipu's times without one are in.
func chinaFor(object map[string]any, now time.Time) time.Time {
	e, _ := object["error"].(map[string]any)
	if code := fmt.Sprint(e["code"]); code == "1308" || code == "1310" {
		return now.In(time.FixedZone("UTC+8", 8*60*60))
	}
	return now
}
