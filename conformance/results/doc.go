// Package results holds the results of the suite for the engines and for packages of the npm
// registry. README.md summarizes them, index.html compares them, a file for each has the
// outcomes, and expected/ has the known failures, each with its reason.
//
//	go run ./conformance/results/update          # all that is installed
//	go run ./conformance/results/update godot4   # one
//
// The tests run them again, if they can be had, and compare.
package results
