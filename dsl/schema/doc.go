// Package schema resolves schemas. It turns the syntax trees of a schema and of those that it extends into one tree
// (tree.go), in which every name is a pointer to its declaration.
//
// [Resolve] works in steps:
//
//   - history.go, declare.go, change.go and props.go apply the changes of each file to
//     the schema that it extends, the oldest first; check.go and constant.go check the
//     declarations that are left;
//   - bind.go, record.go, row.go, forms.go, list.go, union.go, type.go and attribute.go
//     make the tree for one choice of the option; fold.go and expr.go bind expressions, and
//     written.go what a writer computes;
//   - prove.go checks what must hold for the tree: offsets and lengths, that a reader
//     gets back what a writer computes, that values end, and the limits of programs.
//
// A mistake is a [dsl.Diagnostic]. A schema with mistakes is not returned, so users of
// the tree need not expect any.
package schema
