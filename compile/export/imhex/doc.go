// Package imhex writes a schema as a pattern of the hex editor ImHex. A pattern colors the bytes of a file by their
// meaning and shows them as a tree.
//
// Patterns only read. Rules that a pattern cannot express are returned with it, and
// listed in the comment at its top.
package imhex
