// Package wireshark writes a schema as a Wireshark dissector in Lua. A dissector shows packets of the format as trees,
// lets their fields be searched and filtered, and marks the byte where a packet is wrong. Bits are below their word.
//
// It reads what the interpreter reads and refuses what it refuses. The exceptions are
// returned with it, and listed in the comment at its top.
package wireshark
