// Foreign text, for other reports than these.

package report

// Clean returns a text of an implementation as one line that can be shown anywhere. It shows as numbers:
// control characters, characters that change the direction of text, and bytes that are not UTF-8.
func Clean(s string) string { return clean(s, false) }
