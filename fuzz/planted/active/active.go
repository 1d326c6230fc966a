// Package active says which planted mistakes are switched on. The functions with mistakes ask it, in
// a program that package planted builds.
package active

// At has the number of the mistake that is switched on in each function with mistakes, from 1; 0 is none.
var At [256]int
