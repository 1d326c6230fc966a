// Package hand is Godot 4.4's format written by hand in Go, as well as we can:
// the references that octable's interpreter is measured against.
//
// The code makes the same checks as the interpreter does by default. Text is
// validated UTF-8, ends at a NUL and loses a byte order mark; values nest at
// most 1024 levels; counts are held against the bytes that are left before
// anything is allocated; equal keys in a dictionary are noticed; numbers are
// written in the shortest form and padding as zero; errors say where.
//
// It exists in four variants of one source, which the twin program copies:
// this package (checked loads and stores), raw (the same through unsafe, after
// the same length tests), and both again without the validation of text, which
// show what that costs. The variants differ only in the constants of
// variant.go. Raw ones are right on little-endian machines only.
package hand

//go:generate go run ../internal/twin
