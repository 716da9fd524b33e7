// Package tasklist keeps a stand-alone task file: harness-tasks.json, its log harness-progress.txt and the markers beside
// them. Other programs, hooks and people write the same files at the same time, so that each change is one short
// transaction under the lock folder that they all know, and what this program does not know stays as it stands in the
// file.
package tasklist
