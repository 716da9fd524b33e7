// Package evidence records what commands print while they run, and reads it back: of each command the beginning and the end,
// however much it prints.
//
// A call goes: Record begins the file of an event's commands, Begin and End stand around the output of each, and Keep ends the
// file durably and puts its size and checksum into the evidence. OutputsOf reads the output of each command again, ReadBack
// the beginning and the end of all.
//
// It never runs a command and judges none: what an output shows is for autopilot/validate to say.
package evidence
