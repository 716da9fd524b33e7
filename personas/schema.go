package personas

import "encoding/json"

// Schema gives the JSON schema of a Reply, for a model's submit_reply tool and
// for agent programs that take one.
func Schema() json.RawMessage { return json.RawMessage(replySchema) }

const replySchema = `{
  "type": "object",
  "required": ["v", "status", "summary"],
  "properties": {
    "v": {"type": "integer", "enum": [1]},
    "status": {"type": "string", "enum": ["done", "blocked", "failed"]},
    "summary": {"type": "string", "description": "What is different now, or what was found"},
    "planPath": {"type": "string", "description": "Of a planner: the plan's file, relative to the repository"},
    "concerns": {"type": "array", "items": {"type": "string"}},
    "findings": {"type": "array", "items": {
      "type": "object",
      "required": ["severity", "title"],
      "properties": {
        "severity": {"type": "string", "enum": ["critical", "important", "suggestion"]},
        "file": {"type": "string"},
        "line": {"type": "integer", "minimum": 0},
        "title": {"type": "string"},
        "rationale": {"type": "string"}
      }
    }},
    "evidence": {"type": "array", "items": {
      "type": "object",
      "required": ["command", "exitCode"],
      "properties": {
        "command": {"type": "string"},
        "exitCode": {"type": "integer"},
        "note": {"type": "string"}
      }
    }},
    "criteria": {"type": "array", "items": {
      "type": "object",
      "required": ["text", "satisfied", "confidence"],
      "properties": {
        "text": {"type": "string"},
        "satisfied": {"type": "boolean"},
        "confidence": {"type": "string", "enum": ["high", "medium", "low"]},
        "evidence": {"type": "string"}
      }
    }},
    "learnings": {"type": "array", "items": {
      "type": "object",
      "required": ["outcome", "text"],
      "properties": {
        "outcome": {"type": "string", "description": "gotcha, decision, observation, success or failure"},
        "text": {"type": "string"}
      }
    }},
    "blocker": {"type": "string", "description": "With status blocked: what a human must decide or provide"}
  }
}`
