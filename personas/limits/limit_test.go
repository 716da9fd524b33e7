package limits

import (
	"strings"
	"testing"
	"time"
)

// limitNow is a Tuesday, 22:00 in a zone of its own.
var limitNow = time.Date(2025, 11, 18, 22, 0, 0, 0, time.FixedZone("UTC+1", 60*60))

func in(text string) time.Time {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return limitNow.Add(d)
}

func utc(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

var never time.Time

// limitMessages are what providers and programs say, by the one who says it.
var limitMessages = []struct {
	who, text string
	kind      Cause
	until     time.Time
}{
	{"openai requests", `{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit https://example.org to learn more.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`, LimitPassing, in("20s")},
	{"openai tokens", `Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 1500. Please try again in 20.5s.`, LimitPassing, in("20.5s")},
	{"openai milliseconds", `429 Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 500000, Used 500000, Requested 1. Please try again in 86ms.`, LimitPassing, in("86ms")},
	{"openai day", `Rate limit reached for o3 in organization org-x on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.`, LimitPassing, in("7m12s")},
	{"openai quota", `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, LimitUsedUp, never},
	{"openai quota in words", `429 Too Many Requests: You exceeded your current quota, please check your plan and billing details.`, LimitUsedUp, never},
	{"openai billing", `{"error":{"message":"Billing hard limit has been reached","type":"invalid_request_error","code":"billing_hard_limit_reached"}}`, LimitUsedUp, never},
	{"openai overloaded", `The engine is currently overloaded, please try again later`, OutOfOrder, never},
	{"python library", `openai.RateLimitError: Error code: 429 - Rate limit exceeded`, LimitPassing, never},
	{"azure", `{"error":{"code":"429","message":"Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 26 seconds."}}`, LimitPassing, in("26s")},
	{"azure in words", `Requests to the ChatCompletions_Create Operation under Azure OpenAI API have exceeded call rate limit of your current pricing tier. Please retry after 1 second.`, LimitPassing, in("1s")},
	{"azure models", `{"error":{"code":"RateLimitReached","message":"Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 1020 seconds before retrying.","details":null}}`, LimitPassing, never},
	{"azure gateway", `{ "statusCode": 429, "message": "Rate limit is exceeded. Try again in 42 seconds.", "code": "429" }`, LimitPassing, in("42s")},
	{"anthropic", `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 30,000 input tokens per minute."},"request_id":"req_1"}`, LimitPassing, never},
	{"anthropic in words", `This request would exceed your organization’s rate limit of 40,000 input tokens per minute (org: x).`, LimitPassing, never},
	{"anthropic older", `Number of request tokens has exceeded your per-minute rate limit (https://example.org)`, LimitPassing, never},
	{"anthropic overloaded", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, OutOfOrder, never},
	{"anthropic access", `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2025-12-01 at 00:00 UTC."}}`, LimitUsedUp, utc("2025-12-01T00:00:00Z")},
	{"anthropic credit", `Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.`, LimitUsedUp, never},
	{"anthropic through a program", `API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":null}`, OutOfOrder, never},
	{"openrouter", `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1763510400000"}}},"user_id":"u"}`, LimitPassing, time.Unix(1763510400, 0)},
	{"openrouter upstream", `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"qwen/qwen3-coder:free is temporarily rate-limited upstream. Please retry shortly.","provider_name":"X"}}}`, LimitPassing, never},
	{"openrouter credits", `{"error":{"message":"Insufficient credits. Add more using https://example.org/credits","code":402}}`, LimitUsedUp, never},
	{"openrouter too few credits", `402 This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 120.`, LimitUsedUp, never},
	{"deepseek", `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, LimitUsedUp, never},
	{"deepseek in words", `402 Payment Required: Insufficient Balance`, LimitUsedUp, never},
	{"mistral", `{"message":"Requests rate limit exceeded"}` + "", LimitPassing, never},
	{"mistral in words", `Requests rate limit exceeded`, LimitPassing, never},
	{"mistral coded", `{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","param":null,"code":"3505"}`, LimitPassing, never},
	{"groq", `{"error":{"message":"Rate limit reached for model x in organization org_1 service tier on_demand on tokens per day (TPD): Limit 100000, Used 99000, Requested 2000. Please try again in 7m34.56s. Need more tokens?","type":"tokens","code":"rate_limit_exceeded"}}`, LimitPassing, in("7m34.56s")},
	{"groq hours", `Rate limit reached for model x on tokens per day (TPD). Please try again in 1h2m3.5s.`, LimitPassing, in("1h2m3.5s")},
	{"gemini", `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"5"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}]`, LimitPassing, in("34s")},
	{"gemini fraction", `{"error":{"code":429,"message":"Quota exceeded for metric: x, limit: 20. Please retry in 34.074824224s.","status":"RESOURCE_EXHAUSTED"}}`, LimitPassing, in("34.074824224s")},
	{"gemini day", `{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"12s"}]}}`, LimitUsedUp, utc("2025-11-19T08:00:00Z")},
	{"gemini overloaded", `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`, OutOfOrder, never},
	{"gemini cli block", "✕ [API Error: [{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"Resource has been exhausted (e.g. check quota).\",\n    \"status\": \"RESOURCE_EXHAUSTED\"\n  }\n}\n]]", LimitPassing, never},
	{"gemini cli capacity", `You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.`, LimitUsedUp, in("8h44m7s")},
	{"gemini cli attempt", `Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 5s.. Retrying after 6173ms...`, LimitUsedUp, in("5s")},
	{"gemini cli daily", `[API Error: You have exhausted your daily quota on this model.]`, LimitUsedUp, never},
	{"gemini cli server", `No capacity available for model gemini-3-flash-preview on the server`, OutOfOrder, never},
	{"vertex", `429 RESOURCE_EXHAUSTED. Resource has been exhausted (e.g. check quota).`, LimitPassing, never},
	{"zhipu concurrency", `{"error":{"code":"1302","message":"您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。"}}`, LimitPassing, never},
	{"zhipu busy", `{"error":{"code":"1305","message":"该模型当前访问量过大，请您稍后再试"}}`, LimitPassing, never},
	{"zhipu arrears", `{"error":{"code":"1113","message":"您的账户已欠费，请充值后重试"}}`, LimitUsedUp, never},
	{"zhipu window", `{"error":{"code":"1308","message":"已达到 5 小时的使用上限。您的限额将在 2025-11-19 07:32:11 重置。"}}`, LimitUsedUp, utc("2025-11-18T23:32:11Z")},
	{"zai window", `{"error":{"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2025-11-19 07:32:11"}}`, LimitUsedUp, utc("2025-11-18T23:32:11Z")},
	{"zai frequency", `{"error":{"code":"1303","message":"Your API usage frequency is too high"}}`, LimitPassing, never},
	{"zai day", `{"error":{"code":"1304","message":"This API has reached its daily call limit"}}`, LimitUsedUp, never},
	{"claude stamp", `Claude AI usage limit reached|1763769600`, LimitUsedUp, time.Unix(1763769600, 0)},
	{"claude short stamp", `usage limit reached|1763769600`, LimitUsedUp, time.Unix(1763769600, 0)},
	{"claude five hours", `5-hour limit reached ∙ resets 3am`, LimitUsedUp, in("5h")},
	{"claude weekly", `Weekly limit reached ∙ resets Nov 21, 3pm (UTC)`, LimitUsedUp, utc("2025-11-21T15:00:00Z")},
	{"claude session", "You've hit your session limit · resets 10:30pm\n/upgrade to increase your usage limit.", LimitUsedUp, in("30m")},
	{"claude zone", `You've hit your limit for Opus · resets 3pm (Asia/Tokyo)`, LimitUsedUp, utc("2025-11-19T06:00:00Z")},
	{"claude at", `You've reached your usage limit. Your limit resets at 3pm (UTC)`, LimitUsedUp, utc("2025-11-19T15:00:00Z")},
	{"claude stamp in words", `Opus weekly limit reached; resets 1763769600`, LimitUsedUp, time.Unix(1763769600, 0)},
	{"claude repeated", `Repeated 529 Overloaded errors`, OutOfOrder, never},
	{"codex days", `You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours 12 minutes.`, LimitUsedUp, in("76h12m")},
	{"codex clock", `ERROR: You've hit your usage limit. To get more access now, send a request to your admin or try again at 11:43 PM.`, LimitUsedUp, in("1h43m")},
	{"codex date", `You've hit your usage limit. Visit https://example.org or try again at Nov 25th, 2025 11:33 PM.`, LimitUsedUp, in("169h33m")},
	{"codex status", `exceeded retry limit, last status: 429 Too Many Requests`, LimitPassing, never},
	{"codex reconnecting", `Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)`, LimitPassing, never},
	{"codex body", `unexpected status 429 Too Many Requests: {"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1763510400,"resets_in_seconds":20000}}`, LimitUsedUp, in("20000s")},
	{"codex capacity", `Selected model is at capacity. Please try a different model.`, OutOfOrder, never},
	{"opencode", `Error: Too Many Requests: quota of this minute`, LimitPassing, never},
	{"qwen", `{"error":{"code":"insufficient_quota","message":"Free allocated quota exceeded.","type":"insufficient_quota"}}`, LimitUsedUp, never},
	{"dashscope", `{"code":"Throttling.RateQuota","message":"Requests rate limit exceeded, please try again later.","request_id":"r"}`, LimitPassing, never},
	{"moonshot", `{"error":{"message":"Your account is suspended","type":"exceeded_current_quota_error"}}`, LimitUsedUp, never},
	{"bedrock", `ThrottlingException: Too many requests, please wait before trying again.`, LimitPassing, never},
	{"xai", `{"code":"Some resource has been exhausted","error":"You have run out of credits or reached your spending limit."}`, LimitUsedUp, never},
	{"copilot", `Sorry, you have been rate-limited. Please wait a moment before trying again.`, LimitPassing, never},
	{"cursor", `You've hit your usage limit`, LimitUsedUp, never},
	{"plain status", `429 Too Many Requests`, LimitPassing, never},
	{"plain HTTP", `HTTP 429: too many requests, retry-after: 17`, LimitPassing, in("17s")},
	{"header as a date", "Error: rate limit exceeded. Retry-After: Tue, 18 Nov 2025 21:05:00 GMT", LimitPassing, in("5m")},
	{"until in ISO", `Rate limit exceeded until 2025-11-18T21:30:00Z`, LimitPassing, in("30m")},
	{"until in ISO with a zone", `rate_limit_exceeded: try again at 2025-11-18T23:30:00+02:00`, LimitPassing, in("30m")},
	{"time that is over", `Rate limit exceeded until 2025-11-18T20:00:00Z`, LimitPassing, never},
	{"claude credit", `Credit balance is too low`, LimitUsedUp, never},
	{"claude credit and its way out", `Credit balance too low · Add funds: https://example.org`, LimitUsedUp, never},
	{"claude extra usage", `You're out of extra usage · resets 11pm (Europe/Madrid)`, LimitUsedUp, in("1h")},
	{"claude capacity", `API Error: Request rejected (429) · this may be a temporary capacity issue`, LimitPassing, never},
	{"claude server", `API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited`, LimitPassing, never},
	{"codex stream", `stream disconnected before completion: Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s.`, LimitPassing, in("11.054s")},
	{"codex plan", `Quota exceeded. Check your plan and billing details.`, LimitUsedUp, never},
	{"azure gateway without a code", `{ "statusCode": 429, "message": "Rate limit is exceeded. Try again in 43 seconds." }`, LimitPassing, in("43s")},
	{"azure gateway's volume", `{ "statusCode": 403, "message": "Out of call volume quota. Quota will be replenished in 01:02:03." }`, LimitUsedUp, in("1h2m3s")},
	{"gemini day", `You have reached your daily gemini-2.5-pro quota limit.`, LimitUsedUp, never},
	{"qwen quota", `Qwen API quota exceeded: Your Qwen API quota has been exhausted. Please wait for your quota to reset.`, LimitUsedUp, never},
	{"ollama", `{"error":"you (someone) have reached your weekly usage limit, upgrade for higher limits: https://example.org"}`, LimitUsedUp, never},
	{"python's error", `openai.RateLimitError: Error code: 429 - {'error': {'message': 'slow', 'type': 'tokens', 'code': 'rate_limit_exceeded'}}`, LimitPassing, never},
	{"status alone", `HTTP 429`, LimitPassing, never},
	{"status at the end", `Error: Request failed with status code 429`, LimitPassing, never},
	{"SDK's error", `AI_APICallError: Too Many Requests`, LimitPassing, never},
	{"SDK after retries", `AI_RetryError: Failed after 3 attempts. Last error: Too Many Requests`, LimitPassing, never},
	{"hugging face", `Error: You have exceeded your monthly included credits for Inference Providers. Subscribe for more.`, LimitUsedUp, never},
	{"copilot's window", `Sorry, you've hit a rate limit that restricts the number of requests you can make within a time period. Please try again in 1 hour.`, LimitPassing, in("1h")},
	{"copilot's quota", `You have no quota (Request ID: x)`, LimitUsedUp, never},
	{"a script's words", `rate limit: retry after 3 seconds`, LimitPassing, in("3s")},
	{"a script's words in short", `Error: API rate limit, please retry in 30s.`, LimitPassing, in("30s")},
	{"a script's words with try again", `rate limited; try again in 2 minutes`, LimitPassing, in("2m")},
	{"a limit that has been reached", `Rate limit has been reached. Please wait.`, LimitPassing, never},
	{"a time alone", `Error: retry after 45 seconds`, LimitPassing, in("45s")},
	{"a time alone, in short", `retry after 5s`, LimitPassing, in("5s")},
	{"header alone", `Retry-After: 30`, LimitPassing, in("30s")},
	{"header alone, as a date", `retry-after: Tue, 18 Nov 2025 21:05:00 GMT`, LimitPassing, in("5m")},
	{"header in brackets", `429 Too Many Requests (retry-after=12)`, LimitPassing, in("12s")},
	{"quota alone", `quota exceeded`, LimitUsedUp, never},
	{"quota with its end", `Error: API quota exceeded, try again in 2 hours`, LimitUsedUp, in("2h")},
	{"quota that has been exceeded", `Your quota has been exceeded.`, LimitUsedUp, never},
	{"overloaded server", `server overloaded, retry after 10 seconds`, LimitPassing, in("10s")},
	{"overloaded alone", `Error: overloaded: try again in 1m`, LimitPassing, in("1m")},
	{"overloaded service", `The service is temporarily overloaded. Please try again later.`, OutOfOrder, never},
	{"after other output", strings.Repeat("working\n", 500) + "Error: Rate limit exceeded, please try again later", LimitPassing, never},
}

func TestLimitsAreRecognisedWithTheirEnd(t *testing.T) {
	if len(limitMessages) < 60 {
		t.Fatalf("only %d messages", len(limitMessages))
	}
	for _, c := range limitMessages {
		got := Judge(Trouble{Text: c.text, Agent: true}, limitNow)
		if got.Cause != c.kind || got.Until.Sub(c.until).Abs() > time.Millisecond {
			t.Errorf("%s: %+v, want %s until %s", c.who, got, c.kind, c.until)
		}
		if limit, ok := LimitIn(c.text, limitNow); ok != (c.kind != OutOfOrder) || ok && limit.Kind != c.kind {
			t.Errorf("%s: %v %+v, want %s", c.who, ok, limit, c.kind)
		}
		if strings.Contains(c.text, "\n") {
			continue
		}
		if Judge(Trouble{Text: "I have changed three files.\n\n" + c.text + "\n", Agent: true}, limitNow).Cause != c.kind {
			t.Errorf("%s: not recognised at the end of other words", c.who)
		}
		if Judge(Trouble{Text: c.text + strings.Repeat("\nThen I went on and it was well.", 3), Agent: true}, limitNow).Cause != Crash {
			t.Errorf("%s: taken for a limit although work went on", c.who)
		}
	}
}
