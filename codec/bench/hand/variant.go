// Differences between this package and its twins, which are made from it.

package hand

const (
	// variant ends the names of the cases of this package.
	variant = ""
	// raw: numbers are loaded and stored through unsafe, after a length test.
	raw = false
	// validate: text is checked: UTF-8, no NUL, no byte order mark.
	validate = true
)
