//go:build !unix

// Memory that stays with the process: there is nothing to do about it here.

package main

func keepMemory() {}
