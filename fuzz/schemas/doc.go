// Package schemas draws schemas, as Csmith draws programs. It tests that every part of the
// project gives each of them one meaning.
//
// # Drawing
//
// [Draw] makes a schema from [interp.Choices], the currency of all drawn test data: a byte
// for each decision, 0 for the simplest, and 0 after the last byte. So the same bytes are
// drawn at random ([Random]), mutated by go test -fuzz, and kept as seeds.
//
// The first choices select the features of the schema: a random subset of all, with a random
// density (swarm testing). A schema with few features has many rows of each, so rare
// constructs meet; a schema with all of them would have one of each.
//
// A schema is drawn declaration by declaration, a record group by group. A group is a few
// items that belong together, such as a count, its list, and the padding after it. The body
// of a record knows what the resolver asks: the place of the next row under every choice of
// the option, the integers that a reader has, the fewest bytes, and whether a row takes all
// bytes up to the end. Each integer has a sample: its value in one value of the record, in
// which optional fields are absent and lists are empty. Conditions are drawn with their value
// for the samples, and those that must hold are drawn so that they do. So nearly every drawn
// schema resolves and has values. [Random] redraws the others.
//
// A schema that extends others is drawn as one schema first and then split: a declaration
// goes to the extended schema unchanged, or in another form that the extending schema
// replaces, changes, extends or drops.
//
// # Measuring
//
// The constructs are not listed here. [Constructs] takes them from the syntax tree by
// reflection (every field of every production, and every alternative of its tag) and from
// the tables of package builtin (types, functions, operators, attributes by place). [Stats]
// counts the schemas that have each, and each pair. A construct that is never drawn fails the
// test of this package.
//
// # Agreement
//
// [Agree] draws values for a schema, and bytes: encoded, damaged by conformance/corrupt, cut,
// and random. On each packet the interpreter with plans, the one without, the saved and
// loaded program, the program of the formatted text, and the laws of package fuzz must agree
// on values, verdicts, error kinds, offsets and bytes. Of two packets of each schema many damages
// are read, and many changes of their values are written, by both machines and the reference alone.
//
// [Shrink] makes a failing schema smaller on its syntax tree: declarations, items,
// attributes, parts of expressions. Then [fuzz.Smallest] makes the packet smaller. The result
// is one file in testdata, which go test replays.
//
//	go test ./fuzz/schemas                                        # some hundreds
//	go test ./fuzz/schemas -run TestDrawn -v -schemas 100000 -seed 7 -timeout 0
//	go test ./fuzz/schemas -run TestDrawn -v -duration 5m
package schemas
