// Package jsonedit changes JSON text in place: what is not changed stays as it is written, byte for byte, with its white
// space, its order, and the keys that the program does not know.
//
// Parse takes standard JSON and gives its Node. Member, Members and Elements lead to the nodes below, Set, Remove, Append and
// DeleteFunc change one, Change writes what differs between two values, and Bytes is the text that comes out. What is new is
// laid out like its neighbors. Where an object holds a key twice, the last one counts; UniqueKeys refuses such a text, in which
// one reader takes the first and another the last, so that what one has judged is not what the other does.
//
// It reads and writes no files, and knows nothing of what the text means. A node below a list or an object that was changed
// has to be looked up anew.
package jsonedit
