// Package manual has the tests of the manual, dsl/LANGUAGE.md. They run its schemas and
// packets, and check that it explains every part of the language.
package manual
