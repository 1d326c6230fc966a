// Package wrappers has wrappers, which connect codecs in any language with the conformance
// runner. It also has the wrappers of the implementations whose results are in ../results: the
// engines, and packages of the npm registry.
//
//	go, node, python  for codecs in Go, JavaScript and Python: copy and fill in
//	cpp, csharp, java, lua, rust
//	                  likewise; a template around a small codec of five types
//	godot4, godot3    the engines, in their own language
//	npm               packages that .ci/packages installs
//
// A wrapper has two parts: wrapper.* is the protocol, and values.* has values of the
// language to and from the notation of values, as far as a language needs help with that.
// A template has both in one file of at most 80 lines, and the codec in another; its first
// comment has the commands that build and run it, which the test here executes.
package wrappers
