// Input and output of back ends.

package model

// Options are the choices of the output.
type Options struct {
	// Package is the name of the package or module, if the language has such names. "" is made from the id of
	// the schema.
	Package string
	// Structs is a source file of the language. Its types get functions if the
	// back end can do that.
	Structs *File
	// Tag is the key of the struct tags that name fields, such as "json".
	Tag string
}

// File is a file of the input or output.
type File struct {
	Name string // without a folder
	Text []byte
}
