// Package gen writes code in other languages, and in Go. The code reads and writes
// the values of a schema. [Languages] lists the languages. README.md beside this
// file says how one is added.
package gen
