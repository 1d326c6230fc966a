// Package hand is Godot 4.4's format written by hand in Go, as well as we can. It is the
// reference for measurements of octable's interpreter.
//
// The code makes the same checks as the interpreter does by default. Text is
// validated UTF-8, ends at a NUL and loses a byte order mark; values nest at
// most 1024 levels; counts are held against the bytes that are left before
// anything is allocated; equal keys in a dictionary are noticed; numbers are
// written in the shortest form and padding as zero; errors say where.
//
// The twin program makes package run-go-generate/raw of it, which differs only
// in the constants of variant.go: it loads and stores through unsafe, after the
// same length tests. It is right on little-endian machines only.
package hand

//go:generate go run ../internal/twin ../run-go-generate/raw
