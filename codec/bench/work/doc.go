// Package work makes the packets and values that the benchmarks run on. All of
// them are deterministic: the same bytes on every machine and in every run.
//
// Every workload exists in several forms that say the same: a [Tree], which
// keeps the order of dictionaries; the bytes that Godot 4.4 would write for it;
// Go structs; and the maps and slices that other libraries take as a generic
// value.
package work
