// Messages between the page and the codec. web/src/messages.ts has the same types; TestMessages
// writes it from this file.

package view

// Place is a line of a file of a schema.
type Place struct {
	File string `json:"file"` // without its folder
	Line int    `json:"line"` // from 1
}

// Span is the bytes from one offset to another.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Kind is the kind of a node of the tree, and of its leaf if it has bytes.
type Kind string

// The kinds.
const (
	Value    Kind = "value"    // a value; its rows and parts are below it
	List     Kind = "list"     // the elements of a list, or the keys and values of a map in turn
	Row      Kind = "row"      // bytes of a row that hold a value
	Cell     Kind = "cell"     // a field without bytes, such as bits of the number before it
	Derived  Kind = "derived"  // bytes that a writer computes: a length, a count, a checksum
	Flags    Kind = "flags"    // a number whose bits are fields, or the word that selects an arm
	Padding  Kind = "padding"  // padding
	Frame    Kind = "frame"    // the length before a value of a stream
	Gap      Kind = "gap"      // bytes between the parts of a packet that no row has
	Unread   Kind = "unread"   // bytes after an error
	Trailing Kind = "trailing" // bytes after the value
	Part     Kind = "part"     // an element of an array of numbers, or a number of a tuple
)

// SchemasParams asks for the schemas that octable has.
type SchemasParams struct{}

// Schemas lists schemas, those of engines first, the newest of a family before older ones.
type Schemas struct {
	Schemas []SchemaInfo `json:"schemas"`
}

// SchemaInfo describes a schema.
type SchemaInfo struct {
	Sort     string   `json:"sort"` // engine, document, format
	About    string   `json:"about"`
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Family   string   `json:"family"`   // id of the oldest schema that it extends, or its own
	Extends  string   `json:"extends"`  // id, or ""
	Choices  []string `json:"choices"`  // choices of its option; a schema is asked for as "id+choice"
	Document bool     `json:"document"` // follows a document, with the mistakes of that document
}

// ExamplesParams asks for the examples of a schema.
type ExamplesParams struct {
	Schema string `json:"schema"`
}

// Examples are packets of a schema to begin with.
type Examples struct {
	Examples []Example `json:"examples"`
}

// Example is a packet.
type Example struct {
	Name    string `json:"name"`
	Data    []byte `json:"data"`
	Refused string `json:"refused"` // the kind of error if readers refuse it, or ""
}

// Options say how bytes are read.
type Options struct {
	Framed  string `json:"framed"`  // order of the lengths before the values of a stream: little, big, or ""
	Objects bool   `json:"objects"` // full objects are allowed
	Bare    bool   `json:"bare"`    // compressed files are shown as they are, not their content
}

// OpenParams opens bytes.
type OpenParams struct {
	Name    string  `json:"name"`
	Data    []byte  `json:"data"`
	Schema  string  `json:"schema"` // id or handle of a schema; "" is the one that which proposes
	Options Options `json:"options"`
	Pass    string  `json:"pass"` // password of an encrypted file, or ""
	Key     string  `json:"key"`  // key of an encrypted file in 64 hexadecimal digits, or ""
}

// RereadParams opens the bytes of a packet by another schema or with other options.
type RereadParams struct {
	Packet  int     `json:"packet"`
	Schema  string  `json:"schema"`
	Options Options `json:"options"`
}

// PacketParams names a packet.
type PacketParams struct {
	Packet int `json:"packet"`
}

// Packet is the state of bytes that were read. It does not change: an edit makes another packet, so that
// undo is a return to an earlier one.
type Packet struct {
	Packet    int      `json:"packet"` // by which other calls name it
	Name      string   `json:"name"`
	Size      int      `json:"size"` // bytes
	Schema    string   `json:"schema"`
	Title     string   `json:"title"`
	Options   Options  `json:"options"`
	Layers    []string `json:"layers"` // descriptions of the containers that were opened, the outermost first
	Reason    string   `json:"reason"` // why the schema was proposed, "" if it was chosen
	Errors    []Fault  `json:"errors"` // in the order of their bytes
	Canonical bool     `json:"canonical"`
	Odd       *Fault   `json:"odd"`     // the first byte that a writer would not write; nil if canonical or not read
	Changed   []Span   `json:"changed"` // after an edit: bytes that are not those of the packet before
	Note      string   `json:"note"`    // after an edit: its further effects
	Focus     *Way     `json:"focus"`   // after an edit: the node that was edited
}

// Fault is an error as a place.
type Fault struct {
	Kind     string `json:"kind"`   // one word, such as truncated
	Offset   int    `json:"offset"` // of the byte
	Path     string `json:"path"`
	Message  string `json:"message"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Hint     string `json:"hint"`
	Row      *Place `json:"row"`
	Rule     string `json:"rule"`    // name of the row, such as String.length
	Resumed  bool   `json:"resumed"` // reading went on after it
}

// WhichParams asks which schemas a packet may be of.
type WhichParams = PacketParams

// Proposals are the candidates, the likeliest first.
type Proposals struct {
	Reason     string      `json:"reason"`
	Candidates []Candidate `json:"candidates"`
}

// Candidate is a schema as a reading of a packet.
type Candidate struct {
	Schema    string `json:"schema"`
	Title     string `json:"title"`
	Framed    string `json:"framed"`
	Objects   bool   `json:"objects"`
	Group     int    `json:"group"` // candidates of one group read the same value; -1 if it refuses the bytes
	Value     string `json:"value"` // its beginning, or the error
	Left      int    `json:"left"`  // bytes that are left over
	Canonical bool   `json:"canonical"`
}

// WindowParams asks for bytes with the leaves that they belong to.
type WindowParams struct {
	Packet int `json:"packet"`
	From   int `json:"from"`
	To     int `json:"to"` // at most MaxWindow bytes after From are returned
}

// Window is a part of the bytes. Its leaves are in order and leave no byte out; the first and
// the last may go beyond it.
type Window struct {
	From   int    `json:"from"`
	Data   []byte `json:"data"`
	Leaves []Leaf `json:"leaves"`
}

// Leaf is bytes that belong together. Each byte of a packet belongs to exactly one leaf.
type Leaf struct {
	Span
	Node  int  `json:"node"`
	Kind  Kind `json:"kind"`
	Color int  `json:"color"` // 0 to 11: leaves of one row have the same, neighbours of other rows mostly others
}

// ChildrenParams asks for parts of a node. Node 0 is the root, whose parts are the values of the packet.
type ChildrenParams struct {
	Packet int `json:"packet"`
	Node   int `json:"node"`
	From   int `json:"from"`
	Count  int `json:"count"` // at most MaxChildren are returned
}

// Children are parts of a node.
type Children struct {
	Total int    `json:"total"`
	From  int    `json:"from"`
	Items []Item `json:"items"`
}

// Item is a line of the tree.
type Item struct {
	Span
	Node    int    `json:"node"`
	Part    int    `json:"part"` // element of the array or tuple in the row Node; -1 for the node
	Kind    Kind   `json:"kind"`
	Label   string `json:"label"` // to its parent: a field, [3], ["key"]
	Type    string `json:"type"`  // name of the type, "" if the label says it all
	Text    string `json:"text"`  // the value, or how many parts it has
	About   string `json:"about"` // details: bits, the type number, description of the row
	Path    string `json:"path"`
	Parts   int    `json:"parts"`
	Row     *Place `json:"row"`
	Edit    Edit   `json:"edit"`
	Input   string `json:"input"`   // the text to edit in this form
	Element bool   `json:"element"` // it is an element or a pair and can be removed
	List    bool   `json:"list"`    // elements can be inserted into it
	Keyed   bool   `json:"keyed"`   // elements are pairs of a key and a value
	Cut     bool   `json:"cut"`     // it was not read to its end
}

// Edit is the form in which a value is edited.
type Edit string

// The forms.
const (
	NoEdit     Edit = ""
	EditNumber Edit = "number" // a number
	EditText   Edit = "text"   // a text without quotes
	EditBool   Edit = "bool"   // true or false
	EditValue  Edit = "value"  // the notation of the schema
)

// LocateParams asks for the place of an offset, of a range of bytes or of a node in the tree. The place of a range is the smallest
// node that has all of it.
type LocateParams struct {
	Packet int `json:"packet"`
	Offset int `json:"offset"` // -1 to ask for a node
	To     int `json:"to"`     // end of a range of bytes from Offset; 0 for the leaf of Offset
	Node   int `json:"node"`
	Part   int `json:"part"`
}

// Way is the way from the root to a node. Each step has the index among the parts of the one before.
type Way struct {
	Steps []Step  `json:"steps"` // empty for an empty packet, and for a range over several values
	Rows  []Place `json:"rows"`  // of the leaves of a range, at most MaxRows
}

// Step is one level of a [Way].
type Step struct {
	Index int  `json:"index"` // among the parts of the parent
	Item  Item `json:"item"`
}

// ReadByParams asks for the nodes that a row of the schema has read.
type ReadByParams struct {
	Packet int   `json:"packet"`
	Row    Place `json:"row"`
	After  int   `json:"after"` // nodes after this one; -1 for the first
}

// ReadBy are the nodes of a row.
type ReadBy struct {
	Total int    `json:"total"`
	Items []Item `json:"items"` // at most MaxChildren, in the order of the packet
}

// SchemaParams names a schema.
type SchemaParams struct {
	Schema string `json:"schema"`
}

// SchemaText is the text of a schema and of those that it extends and imports.
type SchemaText struct {
	Schema string       `json:"schema"`
	Files  []SchemaFile `json:"files"` // its own first
}

// SchemaFile is a file of a schema.
type SchemaFile struct {
	Name  string   `json:"name"` // as in Place
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Rows  []int    `json:"rows"`  // lines of rows, from 1
	Marks []Marked `json:"marks"` // highlighting
}

// Marked is a highlighted part of a line.
type Marked struct {
	Line int    `json:"line"` // from 0
	From int    `json:"from"` // in units of UTF-16, as in strings of JavaScript
	Len  int    `json:"len"`
	Sort string `json:"sort"` // keyword, type, enum, enumMember, property, parameter, variable, function, decorator, string, number, comment, namespace
}

// RowParams names a row of a schema.
type RowParams struct {
	Schema string `json:"schema"`
	Row    Place  `json:"row"`
}

// RowInfo describes a row.
type RowInfo struct {
	Name     string       `json:"name"` // such as String.length
	Doc      string       `json:"doc"`
	Errata   []Erratum    `json:"errata"`
	Versions []RowVersion `json:"versions"` // of the same family
}

// Erratum is a mistake of a document.
type Erratum struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Says   string `json:"says"`
	Engine string `json:"engine"`
	Here   string `json:"here"`
}

// RowVersion is a row in another schema.
type RowVersion struct {
	Schema string `json:"schema"`
	Title  string `json:"title"`
	Same   bool   `json:"same"`
	Text   string `json:"text"` // its line, "" if the schema has no such row
}

// DocumentParams asks for the document of a schema.
type DocumentParams struct {
	Schema  string `json:"schema"`
	Changes bool   `json:"changes"` // with the section about changes since the schema that it extends, which takes a second
}

// Document is the page that "octable docs" makes, as a tree of texts.
type Document struct {
	Schema   string       `json:"schema"`
	Title    string       `json:"title"`
	Sections []DocSection `json:"sections"`
}

// DocSection is a titled part of a document.
type DocSection struct {
	Title    []DocSpan    `json:"title"`
	Anchor   string       `json:"anchor"`
	Blocks   []DocBlock   `json:"blocks"`
	Sections []DocSection `json:"sections"`
}

// DocBlock is a part of a section.
type DocBlock struct {
	Sort  string      `json:"sort"` // paragraph, note, list, table, listing, dump
	Text  []DocSpan   `json:"text"` // paragraph, note
	Items [][]DocSpan `json:"items"`
	Head  []string    `json:"head"`
	Rows  []DocRow    `json:"rows"`
	Lines string      `json:"lines"` // listing, dump
	About string      `json:"about"` // dump: the value
	Data  []byte      `json:"data"`  // dump: the packet
}

// DocRow is a row of a table.
type DocRow struct {
	Cells [][]DocSpan `json:"cells"`
	Row   *Place      `json:"row"` // of the schema
}

// DocSpan is a piece of running text.
type DocSpan struct {
	Text string `json:"text"`
	Sort string `json:"sort"` // "", code, emph, link
	Ref  string `json:"ref"`  // of a link: the anchor of a section
}

// SetParams edits the value of a node.
type SetParams struct {
	Packet int    `json:"packet"`
	Node   int    `json:"node"`
	Part   int    `json:"part"`
	Text   string `json:"text"` // in the form that Item.Edit says
}

// SpliceParams replaces bytes. Nothing else follows.
type SpliceParams struct {
	Packet int    `json:"packet"`
	At     int    `json:"at"`
	Remove int    `json:"remove"`
	Data   []byte `json:"data"`
	Focus  int    `json:"focus"` // the byte that is selected after it
}

// InsertParams inserts an element into a list or a pair into a map.
type InsertParams struct {
	Packet int    `json:"packet"`
	Node   int    `json:"node"`  // an element, key or value beside which it is inserted; or a list or map, to which it is appended
	After  bool   `json:"after"` // behind the element, not before it
	Key    string `json:"key"`   // of a pair, in the notation of the schema
	Text   string `json:"text"`  // in the notation of the schema; "" is a copy of the element
}

// NodeParams names a node.
type NodeParams struct {
	Packet int `json:"packet"`
	Node   int `json:"node"`
	Part   int `json:"part"`
}

// ExportParams asks for a packet in another form.
type ExportParams struct {
	Packet int    `json:"packet"`
	Form   string `json:"form"` // one of Forms
}

// Export is a text.
type Export struct {
	Text string `json:"text"`
	Name string `json:"name"` // of a file
}

// AssembleParams makes a packet of its text form, as "octable asm" does.
type AssembleParams struct {
	Packet int    `json:"packet"` // the one that it replaces
	Text   string `json:"text"`
}

// StepParams goes to a step of the run that reads a packet, or that writes its value.
type StepParams struct {
	Packet int    `json:"packet"`
	Value  int    `json:"value"` // of a stream, from 0
	Encode bool   `json:"encode"`
	At     int    `json:"at"`     // the step from which to go
	Move   string `json:"move"`   // "" is At itself; step, back, over, out, next, previous, begin, end, error, byte, row, field
	Target string `json:"target"` // of byte: an offset; of row: its name or line; of field: a path
}

// Moment is the state before an instruction, or at the end of a run.
type Moment struct {
	Value     int       `json:"value"`  // of a stream, from 0
	Values    int       `json:"values"` // how many a stream has; else 1
	Step      int       `json:"step"`
	Steps     int       `json:"steps"`
	More      bool      `json:"more"`   // later instructions are not recorded
	Cursor    int       `json:"cursor"` // offset, in the packet or in what was written
	Path      string    `json:"path"`
	Last      *Span     `json:"last"` // the bytes that were read or written last
	Digits    string    `json:"digits"`
	LastText  string    `json:"lastText"`
	PC        int       `json:"pc"`   // the instruction that comes next; -1 at the end
	Next      string    `json:"next"` // its listing
	Row       *Place    `json:"row"`
	Rule      string    `json:"rule"`
	Registers []Setting `json:"registers"`
	Record    string    `json:"record"` // type of the pending record
	Fields    []Setting `json:"fields"` // its fields that have a value
	Frames    []string  `json:"frames"` // the values around the cursor, outermost first
	Result    string    `json:"result"` // at the end
	Error     *Fault    `json:"error"`  // at the end
}

// Setting is a name with its value.
type Setting struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Saved is a packet as a file, with the containers that were opened.
type Saved struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// CompareParams asks for the differences between two packets.
type CompareParams struct {
	Old int `json:"old"`
	New int `json:"new"`
}

// Compare lists differences in the order of the bytes.
type Compare struct {
	Same  bool         `json:"same"`  // the bytes are the same
	Equal bool         `json:"equal"` // the values are the same, in the names of the newest version
	Total int          `json:"total"` // differences, of which the first MaxDifferences are listed
	List  []Difference `json:"list"`
}

// Difference is a part that is different. A side that does not have the part has no range.
type Difference struct {
	Path    string `json:"path"`
	Old     *Span  `json:"old"`
	New     *Span  `json:"new"`
	OldNode int    `json:"oldNode"`
	NewNode int    `json:"newNode"`
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

// CompileParams compiles the text of a schema.
type CompileParams struct {
	Text   string     `json:"text"`
	Beside []TextFile `json:"beside"` // schemas that the text may extend, besides those of octable
}

// TextFile is a schema beside the one that is edited.
type TextFile struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Compiled is the result. Schema is empty if there are errors.
type Compiled struct {
	Schema      string       `json:"schema"` // handle for OpenParams and others
	Diagnostics []Diagnostic `json:"diagnostics"`
	Marks       []Marked     `json:"marks"`
}

// Diagnostic is a mistake in the text of a schema. Lines and characters count from 0; characters are
// units of UTF-16, as in strings of JavaScript.
type Diagnostic struct {
	Line      int    `json:"line"`
	From      int    `json:"from"`
	EndLine   int    `json:"endLine"`
	To        int    `json:"to"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	FixTitle  string `json:"fixTitle"` // "" without a fix
	FixedText string `json:"fixedText"`
}

// CursorParams asks about a place in the text of a schema.
type CursorParams struct {
	Text      string     `json:"text"`
	Beside    []TextFile `json:"beside"`
	Line      int        `json:"line"`
	Character int        `json:"character"`
}

// Hover explains the name at a place.
type Hover struct {
	Text string `json:"text"` // Markdown, "" if there is nothing to say
	Line int    `json:"line"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Completions are the words that fit at a place.
type Completions struct {
	Items []Completion `json:"items"`
}

// Completion is a word, which replaces characters From to To of its line.
type Completion struct {
	Label  string `json:"label"`
	Detail string `json:"detail"`
	Doc    string `json:"doc"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// FormatParams formats the text of a schema.
type FormatParams struct {
	Text string `json:"text"`
}

// Formatted is the text in the one style.
type Formatted struct {
	Text string `json:"text"`
}

// Done is the result of calls that return nothing.
type Done struct{}

// StartParams are the files that the page opens when it begins. Only the server has some.
type StartParams struct {
	Files  []OpenParams `json:"files"`
	Text   string       `json:"text"`   // of a schema, which the page compiles and opens them with; "" if they have one by its id
	Beside []TextFile   `json:"beside"` // schemas that the text may extend
}
