// Foreign text, for other reports than these.

package report

// Clean returns what an implementation said as one line that can be shown anywhere:
// control characters, those that change the direction of text, and bytes that are no
// UTF-8 are shown as numbers.
func Clean(s string) string { return clean(s, false) }
