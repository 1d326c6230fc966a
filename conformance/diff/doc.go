// Package diff finds the changes of bytes from one schema to another.
//
// It compares the two programs first: types that are added, removed, renumbered or have other
// instructions, headers, encodings of text, limits. Then it runs both to find the effect of
// each change: it writes values of either schema, damages packets, and gives every packet to
// both readers. A packet that they read differently is a witness. It belongs to the change at
// which the two readings diverge. The report has the shortest witness of each change and
// [Class].
//
//	old, err := diff.NewSide("godot-4.3", s, "")
//	…
//	report, err := diff.Compare(old, new, diff.Options{})
//	report.WriteText(os.Stdout)
//
// Nothing is concluded from the schemas alone: a change without a witness is said
// to have none, and a difference between the readers for which the schemas give no
// reason is reported as a separate change.
package diff
