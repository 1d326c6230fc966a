package schematest

// FilledBlock returns a schema whose packets are 32 KiB of small records of some rows.
func FilledBlock(rows string) string {
	return `
schema "blocks" {
    title "Records in a block"
    order little
    root  Block
}
type Block {
    | 0 | 32768 | Records | records | "records"
}
type Records {
    | 0 | N | Record[until end] | records | "records"
}
type Record {
` + rows + `
}
`
}
