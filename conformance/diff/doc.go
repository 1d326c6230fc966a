// Package diff finds what changes on the wire from one schema to another.
//
// The two programs are compared first: types that came, went, moved or have other
// instructions, headers, encodings of text, limits. That says where to look. What
// each change does is then found by running both: values of either schema are
// written, packets are damaged, and every packet goes to both readers. A packet
// that they do not make the same of is a witness; it belongs to the change at
// which the two readings part. Of every change and [Class] the shortest witness
// that was found is kept.
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
