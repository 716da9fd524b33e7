// Package format is how a state stands in a file: JSON with a checksum over the whole, and with the keys that this program
// does not know where they were.
//
// A call goes: Encode makes the file of a snapshot, Intact says whether one is what was written, and UnknownIn collects what a
// reader would lose, to be laid over what Encode writes. It reads and writes no file itself.
package format
