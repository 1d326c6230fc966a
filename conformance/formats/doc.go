// Package formats tests the schemas of spec/formats on real files.
//
// testdata/FORMAT.jsonl has a line for each file: its bytes, and what an independent reader
// says about it. The program in samples makes both with tools of Debian; .ci/samples runs it.
// The tests decode each file, compare the value, encode it to the same bytes, and damage the file.
package formats
