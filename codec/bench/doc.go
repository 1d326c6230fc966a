// Package bench measures octable against its alternatives. These are the same format written by
// hand in Go, and other formats with the libraries that are common for them. It is a separate
// module, so that programs that import octable do not inherit what it compares with.
//
//	go run ./cmd/ratios                          # the tables and the bars
//	go test -bench '/game/decode-value/' -cpu 1  # single cases
package bench
