// Package runner runs vectors against an implementation, in a child process or in
// this one, and says of each case what came of it.
package runner
