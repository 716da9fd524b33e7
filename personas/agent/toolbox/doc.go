// Package toolbox is what a model may do in a working tree: read, search, edit, run commands, hand in a reply; each tool by the
// rights of its persona.
//
// A call goes: OpenTree opens the working tree, New fills a Box with the tools of a dispatch, Descriptions is what the model is
// told of them, Read understands a call in the form of other tools, and Call runs one. A path never leads out of the tree, git
// is only read, commands get no secret that was not named and may run in a sandbox, and a result that is too long is shortened
// and kept in a file. It knows no model, and decides nothing about the dispatch.
package toolbox
