package limits

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// beforeError is what programs and libraries put in front of an error's words. A dash or a star of a list is none:
// lists talk about errors.
var beforeError = lazyregexp.New(`(?i)^(?:` + strings.Join([]string{
	`request failed with\b|failed after \d+ attempts\.|request rejected \(429\)\s*·`,
	`[\s✕✗✖×■⚠️❌⎿>(\["']+`,
	`(?:fatal|warning|api error|stream error|request failed|failed|error code|sorry)\b\s*:?`,
	`(?:[a-z_.]*\.)?[a-z_]*(?:error|exception)\b:?`,
	`(?:unexpected |last |http )?status(?: code)?\s*:?\s*(?:[45]\d\d\b)`,
	`http(?:/\d(?:\.\d)?)?\s+(?:[45]\d\d\b)`,
	`exceeded retry limit,`,
	`stream disconnected before completion:`,
	`last error:`,
	`[a-z]+ api quota exceeded:`,
	`reconnecting\.\.\.\s*\d+/\d+`,
	`attempt \d+ failed(?: with status [45]\d\d)?\.?:?`,
	`\d{4}-\d\d-\d\dt[\d:.]+z?`,
	`[45]\d\d\b`,
	`(?:too many requests|payment required|bad request|service unavailable)\s*:`,
}, "|") + `)\s*(?:[:,.–—-]+\s+)?`)

// words of a limit, an outage or a refused key; each stands at the beginning of a line.
type limitWords struct {
	kind Cause
	form *lazyregexp.Regexp
}

const (
	// ending keeps sentences about limits out: the words end the line, or what follows them says more of the limit.
	ending  = `(?:\s*[.!?"'\])}|]*\s*$|(?:\s*[.,:;!({\[|)\]"'·∙•—–-]|\s+(?:for|please|try|until|upgrade|or)\b).*` + more + `)`
	more    = `(?:\d{4}-\d\d|\d{6}|\b(?:per|try|please|retry|retrying|wait|resets?|until|again|organization|model|tokens?|requests?|hours?|days?|minutes?|seconds?|limits?|quota|your?|upgrade|billing|plan|credits?|balance|later|after|tier|code|status|exhausted)\b)`
	later   = `(?:please )?(?:retry|try again|wait)(?: (?:after|in|for))? ` + howLong + `$`
	howLong = `(?:about )?\d+(?:\.\d+)?\s*(?:m?s|milliseconds?|sec(?:ond)?s?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|days?)[.!)]*\s*`
	your    = `(?:you['’]ve|you have|you)\s+`
	window  = `(?:(?:\d+[- ]hour|hourly|daily|weekly|monthly|session|usage|opus|sonnet|fable|model|plan|request|api|token|credit|free[- ]tier|claude ai|claude|pro|specified)\s+)+`
)

func words(kind Cause, form string) limitWords {
	return limitWords{kind, lazyregexp.New(`(?i)^(?:` + form + `)`)}
}

// limitForms are in the order in which they are tried: what is used up before what passes.
var limitForms = []limitWords{
	words(LimitUsedUp, your+`(?:hit|reached|exceeded) (?:your|the) `+window+`(?:limits?|cap)`+ending),
	words(LimitUsedUp, your+`(?:hit|reached) your limit`+ending),
	words(LimitUsedUp, `you (?:\(\S{1,60}\) )?have reached your `+window+`limits?`+ending),
	words(LimitUsedUp, your+`reached your (?:daily|weekly|monthly) (?:\S{1,40} )?quota limit`+ending),
	words(LimitUsedUp, your+`(?:exceeded|exhausted) your (?:current |daily |monthly |assigned )?(?:quota|capacity|(?:included )?credits)\b`),
	words(LimitUsedUp, `(?:you['’]re|you are|`+your+`(?:run )?)\s*out of (?:extra usage|credits|funds|quota|tokens)`+ending),
	words(LimitUsedUp, `your \S{1,30} api quota has been exhausted`+ending),
	words(LimitUsedUp, `you have no quota \(`),
	words(LimitUsedUp, `quota exceeded\. check your plan\b`),
	words(LimitUsedUp, `(?:your )?(?:api )?quota (?:has been |was )?exceeded(?:[.!]?\s*$|\s*[.,:;!(–—-]+\s*`+later+`)`),
	words(LimitUsedUp, `out of call volume quota\b`),
	words(LimitUsedUp, your+`insufficient (?:credits?|balance|funds|quota)`),
	words(LimitUsedUp, window+`limits? (?:has been |have been )?(?:reached|exceeded|exhausted|hit)`+ending),
	words(LimitUsedUp, `the usage limit has been reached`+ending),
	words(LimitUsedUp, `usage limit reached for\b`),
	words(LimitUsedUp, `insufficient[ _](?:account )?(?:balance|credits?|quota|funds)`+ending),
	words(LimitUsedUp, `(?:payment required|billing hard limit has been reached)`+ending),
	words(LimitUsedUp, `(?:your )?credit balance (?:is )?too low(?: to\b|\s*[·∙•]|`+ending+`)`),
	words(LimitUsedUp, `your (?:account|api key|key)(?: has| is)? (?:run out of|out of|insufficient) (?:credits|balance|quota|funds)`),
	words(LimitUsedUp, `(?:this request requires more credits|key limit exceeded)`+ending),
	words(LimitUsedUp, `out of credits\s*(?:[.!·∙•]|$)|(?:quota exhausted|daily quota exceeded|credits exhausted)`+ending),
	words(LimitUsedUp, `free allocated quota exceeded`),
	words(LimitUsedUp, `\{'error': \{.*'(?:code|type)': '(?:insufficient_quota|billing_error)'`), // as Python prints it
	words(LimitUsedUp, `您的账户已欠费|已达到 ?.{1,30}的使用上限|您已达到每周`),
	words(LimitPassing, `(?:api |too many requests|requests? |token |tokens |server |model |global |organization |service )?(?:rate[- ]?limit(?:ed)?) (?:has been |was )?(?:reached|exceeded|hit)`+ending),
	words(LimitPassing, `(?:api )?(?:rate[- ]?limit(?:ed)?|(?:server )?overloaded)\s*[:;,.(–—-]+\s*`+later),
	words(LimitPassing, `(?:please )?retry (?:after|in) `+howLong+`$`),
	words(LimitPassing, `retry-after\s*[:=]\s*(?:\d+(?:\.\d+)?(?:\s*s(?:ec(?:ond)?s?)?)?|[a-z]{3}, \d\d [a-z]{3} \d{4} [\d:]{8} gmt)[.)]*\s*$`),
	words(LimitPassing, `rate[_ -]limit[_ -](?:exceeded|error|reached)`+ending),
	words(LimitPassing, `rate[- ]limited`+ending),
	words(LimitPassing, `(?:this request would exceed|this would exceed|number of request tokens has exceeded)\b.{0,80}\brate limit`),
	words(LimitPassing, your+`(?:are being |have been |been )?(?:rate[- ]limited|sending requests too (?:quickly|fast)|made too many requests)`),
	words(LimitPassing, `you are (?:being )?rate[- ]limited`),
	words(LimitPassing, your+`(?:reached|exceeded) (?:the|your) (?:call |request |token )?rate limit`),
	words(LimitPassing, `requests to .{1,120} have exceeded .{0,60}rate limit`),
	words(LimitPassing, `too many (?:concurrent )?(?:requests|tokens)(?: per [a-z]+)?`+ending),
	words(OutOfOrder, `overloaded[.!]?\s*$`),
	words(OutOfOrder, `(?:overloaded_error|the (?:model|engine|server|service) is (?:currently |temporarily )?overloaded|engine_overloaded(?:_error)?)`+ending),
	words(OutOfOrder, `(?:repeated 529 overloaded errors|selected model is at capacity|no capacity available for model)`),
	words(LimitPassing, `(?:resource_exhausted|resource has been exhausted|resource exhausted)`+ending),
	words(LimitPassing, `\{'error': \{.*'(?:code|type)': '(?:rate_limit_exceeded|rate_limit_error|too_many_requests)'`),
	words(LimitPassing, `(?:api )?rate limit is exceeded`+ending),
	words(LimitPassing, your+`hit a rate limit\b.*`+more),
	words(LimitPassing, `server is temporarily limiting requests\b`),
	words(LimitPassing, `this may be a temporary capacity issue`),
	words(LimitPassing, `(?:http|status(?: code)?) 429\s*$`),
	words(LimitPassing, `(?:quota exceeded for (?:quota )?metric\s*[:'"]|requests rate limit exceeded|service tier capacity exceeded)`),
	words(LimitPassing, `\S{1,60} is temporarily rate-limited upstream`),
	words(LimitPassing, `(?:throttlingexception|throttling\.[a-z]+)\b`),
	words(LimitPassing, `您当前使用该 ?api ?的(?:并发数|频率)过高|您的账户已达到速率限制|该模型当前访问量过大|该 ?api ?已触发流量限制`),
	words(LimitPassing, `slow down[.!]?\s*$`),
}

// talk are words that stand in texts about limits and not in limits.
var talk = lazyregexp.New(`(?i)\b(?:limiter|middleware|implement\w*|assert\w*|expected|returns|handlers?|handles|handled|tests?|readme|func|retried|when the|is returned|should)\b`)

// ofIt is what may stand between a request and "too long": words on its size. "The request took too long" is of time.
const ofIt = `(?:[^\pL]|\b(?:is|are|was|were|has|been|body|size|length|contents?|entity|payload|text|list|tokens?|count|of|the|your|far|much|way)\b){1,20}`

// overflowWords are those of a request that is too long.
var overflowWords = lazyregexp.New(`(?i)context_length_exceeded|request_too_large|request exceeds the maximum allowed number of bytes|maximum context length|context (?:window|length|size)[^.]{0,40}(?:exceed|too (?:long|small))|exceed[^.]{0,60}context (?:window|length|size|limit)|prompt is too long|input is too long|input token count.{0,60}exceeds|(?:prompt|input|request|messages?)` + ofIt + `too (?:long|large)|too many tokens in (?:the )?(?:prompt|request)|reduce the length of the messages|prompt (?:exceeds|contains).{0,60}(?:max|limit)|tokens must be reduced|model_context_window_exceeded|string_above_max_length|exceeds the (?:available|maximum) (?:context|number of tokens)|Prompt 超长`)

// causeInLine judges one line of free text.
func causeInLine(line string) Cause {
	if len(line) > 4000 || talk.MatchString(line) || overflowWords.MatchString(line) {
		return Crash
	}
	var found Cause
	for {
		cause := causeOf(line)
		if cause == LimitUsedUp {
			return cause
		}
		if cause != Crash { // a status may stand before what is meant: "429 Too Many Requests: You exceeded your current quota"
			found = cause
		}
		rest := line[len(beforeError.FindString(line)):]
		if rest == line {
			return found
		}
		line = rest
	}
}

// causeOf is the cause whose words a text begins with, or whose status.
func causeOf(text string) Cause {
	for _, forms := range [][]limitWords{limitForms, troubleForms} {
		for _, f := range forms {
			if f.form.MatchString(text) {
				return f.kind
			}
		}
	}
	return Crash
}
