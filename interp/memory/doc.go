// Package memory loads and stores little-endian numbers at offsets that the caller has
// tested.
//
// On processors with that order of bytes and with unaligned loads, a [View] is an
// address. On other processors, and with the build tag octable_safe, it is a slice and
// every access is checked. The caller tests lengths before, and forms no address
// outside an allocation.
package memory
