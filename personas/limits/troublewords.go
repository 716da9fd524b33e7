package limits

const (
	// stops keeps sentences out: the words end the line, or punctuation follows them.
	stops = `(?:\s*$|\s*[.,:;!?·∙•—–|({\[)}\]"'-])`
	named = `(?:(?:unexpected |last |http )?status(?: code)?\s*:?\s*|http(?:/\d(?:\.\d)?)?\s+|api error:\s*|error code:\s*)`
	wants = `(?:an? |the |your |valid |x-|anthropic |openai |google |gemini )*api[- _]?key`
)

// troubleForms are the words of refused keys and of outages; each stands at the beginning of a line, after what stands
// before errors.
var troubleForms = []limitWords{
	words(KeyRefused, named+`40[13]\b`),
	words(KeyRefused, `(?:401:? unauthorized|403:? forbidden|unauthorized)`+stops),
	words(KeyRefused, `(?:you(?: are|['’]re) )?not (?:logged|signed) in`+stops),
	words(KeyRefused, `please (?:run /login|(?:log|sign) ?in)`+`(?:`+stops+`|\s+(?:again|first|to|with|using)\b)`),
	words(KeyRefused, `(?:invalid|incorrect|missing|expired|no) `+wants+`(?:`+stops+`|\s+(?:provided|found|set|configured|is|was|for)\b)`),
	words(KeyRefused, wants+` (?:is |was |has )?(?:not valid|not found|not set|invalid|missing|expired|revoked)`+stops),
	words(KeyRefused, `authentication[ _](?:failed|error|required)`+stops),
	words(KeyRefused, `(?:no|missing) authentication information found`+stops),
	words(KeyRefused, `(?:invalid auth method|please set an auth method|oauth token (?:has expired|has been revoked|revoked|is invalid))`),
	words(OutOfOrder, named+`(?:40[89]|5\d\d)\b`),
	words(OutOfOrder, `(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)`+stops),
	words(OutOfOrder, `(?:the |your |upstream |model |api )*(?:server|service) (?:had an error|is (?:temporarily |currently )*(?:unavailable|down|busy))`),
	words(OutOfOrder, `we['’]re (?:currently )?experiencing high demand`),
	words(OutOfOrder, `(?:(?:connect|read|write|getaddrinfo) )?e(?:connrefused|connreset|connaborted|notfound|ai_again|timedout|hostunreach|netunreach|pipe)\b`),
	words(OutOfOrder, `(?:the |api |internet )?connection (?:was |has been )?(?:error|refused|reset|failed|closed|timed out|aborted|lost)`+`(?:`+stops+`|\s+(?:by peer|mid-response|while|before|during|to)\b)`),
	words(OutOfOrder, `(?:transport|network|socket|stream|protocol) error`+stops),
	words(OutOfOrder, `(?:fetch failed(?: sending request)?|error sending request(?: for url)?|socket hang up|server disconnected|peer closed connection|unexpected eof)(?:`+stops+`|\s+without\b)`),
	words(OutOfOrder, `(?:stream disconnected before completion|(?:the )?(?:response )?stream (?:closed|ended|was cut off) before)\b`),
	words(OutOfOrder, `terminated[.!)\]"'\s]*$`), // undici's words for a stream that was cut
	words(OutOfOrder, `(?:dial tcp\b|curl: \((?:5|6|7|28|35|52|56)\))`),
	words(OutOfOrder, `(?:no such host|could not resolve host|temporary failure in name resolution|name or service not known|nodename nor servname)\b`),
	words(OutOfOrder, `(?:unable to|failed to|could ?n[o']t|cannot) (?:connect to|reach) (?:the |its )?(?:api|server|host|model|provider|internet|network)\b`),
}
