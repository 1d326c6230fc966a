package audit

// A Document is the result of Parse. It has the introduction, the sections in their order, and
// the parts that could not be understood.
type Document struct {
	// Name is the name given to Parse, usually a file name.
	Name string `json:"name"`
	// Form says in words how the tables were written.
	Form string `json:"form"`
	// Types holds the rows of the table of type ids.
	Types []TypeRow `json:"types"`
	// Intro is everything before the first section. Its Number is -1.
	Intro Section `json:"intro"`
	// Sections are the parts of the document under titles such as
	// "5: Vector2".
	Sections []Section `json:"sections"`
	// Glossed lists table headings that had to be translated and whose
	// translation belongs to an erratum.
	Glossed []Glossed `json:"glossed,omitempty"`
	// Problems lists damage: tables that could not be read in full.
	Problems []Problem `json:"problems,omitempty"`
}

// FieldRows returns the number of rows in the field tables of the document.
func (d *Document) FieldRows() int {
	n := 0
	count := func(s *Section) {
		for _, t := range s.Tables {
			n += len(t.Rows)
		}
	}
	count(&d.Intro)
	for i := range d.Sections {
		count(&d.Sections[i])
	}
	return n
}

// A TypeRow is a row of the table of type ids.
type TypeRow struct {
	// ID is the text of the id cell.
	ID string `json:"id"`
	// Label is the text of the name cell.
	Label string `json:"label"`
	// Line is the line of the document on which the row starts.
	Line int `json:"line"`
	// LabelLine is the line of the name cell.
	LabelLine int `json:"-"`
	// Row counts the rows of the table from 1.
	Row int `json:"row"`
}

// A Section is a part of a document under one numbered title.
type Section struct {
	// Number is the number in the title; -1 means the introduction or
	// a number that is too large.
	Number int `json:"number"`
	// Title is the title without number and markup: "RID (unsupported)".
	Title string `json:"title"`
	// Target is the class name the title refers to, "vector2" in
	// ":ref:`Vector2<class_vector2>`", or empty.
	Target string `json:"target,omitempty"`
	// Raw is the title line of the document, unchanged.
	Raw string `json:"raw,omitempty"`
	// Line is the line of the title.
	Line int `json:"line"`
	// Prose holds the lines that belong to no table, captions included.
	Prose []ProseLine `json:"prose,omitempty"`
	// Tables holds the field tables.
	Tables []Table `json:"tables,omitempty"`
}

// A ProseLine is a line of text outside tables.
type ProseLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// A Table is a table of fields.
type Table struct {
	// Line is the line of the table's head.
	Line int `json:"line"`
	// Caption is the sentence or subtitle directly before the table.
	Caption string `json:"caption,omitempty"`
	// Heading is the title above the table, numbered or not.
	Heading string `json:"heading,omitempty"`
	// Columns are the columns that the table has, in the order of [Row].
	Columns []string `json:"columns,omitempty"`
	// Sized reports whether the table has no column of lengths. Those of its rows are the sizes of their types, or
	// follow from the last byte of each.
	Sized bool `json:"sized,omitempty"`
	// Rows holds the rows below the head.
	Rows []Row `json:"rows"`
}

// A Row is a row of a field table with its cells as the document has them.
type Row struct {
	Offset      string `json:"offset"`
	Length      string `json:"length"`
	Type        string `json:"type"`
	Description string `json:"description"`
	// Name is the cell of a column of names, which few documents have.
	Name string `json:"name,omitempty"`
	// Line is the line of the document on which the row starts.
	Line int `json:"line"`
	// Row counts the rows of the table from 1.
	Row int `json:"row"`
	// Lines holds the line of each cell, in the order above.
	Lines [4]int `json:"-"`
}

// A Glossed is a heading of a table that the glossary translates and counts
// as an erratum.
type Glossed struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Means   string `json:"means"`
	Erratum string `json:"erratum"`
}

// A Problem is a part of a document that could not be read.
type Problem struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	// Other is set for a table that is neither of fields nor of type ids.
	Other bool `json:"other,omitempty"`
}
