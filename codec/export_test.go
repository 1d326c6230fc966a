package codec

// Named reports whether values of a codec have the names of its schema, and are no Variants.
func Named(c *Codec) bool { return c.notation != nil }
