package memory

// Padded returns the place behind n bytes from at, padded to a multiple of four bytes. It reports false if that place is
// beyond end. The number is less than 1<<32.
func Padded(at int, n uint64, end int) (next int, ok bool) {
	to := uint64(at) + (n+3)&^3
	return int(to), to <= uint64(end)
}
