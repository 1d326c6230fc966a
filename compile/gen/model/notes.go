package model

import "slices"

// Notes are what an export does not check or show, each as a sentence.
type Notes []string

// Add adds a sentence, once.
func (n *Notes) Add(says string) {
	if !slices.Contains(*n, says) {
		*n = append(*n, says)
	}
}

// AnySum adds that the checksum of a row is not checked.
func (n *Notes) AnySum(rule string) {
	n.Add("That " + rule + " is the checksum of other bytes: any number is read.")
}

// Redundant adds that a number is not compared with those that it follows from.
func (n *Notes) Redundant(rule string) {
	n.Add("That " + rule + " is the number that follows from other fields: any number is read.")
}

// Unchecked adds that a condition of a sum or of the last number of an array is not checked.
func (n *Notes) Unchecked(rule string) {
	n.Add("Conditions at " + rule + " on the sum or the last number of an array: they are not checked.")
}

// Gaps adds that a row of the bytes between rows at places is not shown.
func (n *Notes) Gaps(rule string) {
	n.Add("The row " + rule + ": the bytes between rows at places are not shown.")
}
