// Differences between this package and its variant, which is made from it.

package hand

const (
	// variant ends the names of the cases of this package.
	variant = ""
	// raw: numbers are loaded and stored through unsafe, after a length test.
	raw = false
)
