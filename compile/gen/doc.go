// Package gen writes code in other languages, and in Go, that reads and writes the
// values of a schema: [Languages] lists them. README.md beside this file says how
// one is added.
package gen
