// Package imhex writes a schema as a pattern of the hex editor ImHex, which paints
// the bytes of a file by what they are and shows them as a tree.
//
// Patterns read. What one cannot say is returned beside it, and stands at its top.
package imhex
