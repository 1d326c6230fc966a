// Messages between the page and the codec. Made of messages.go by: go test ./cmd/octable/internal/view -run TestMessages -update

export interface AssembleParams {
	packet: number;
	text: string;
}

export interface Packet {
	packet: number;
	name: string;
	size: number;
	schema: string;
	title: string;
	options: Options;
	layers: string[];
	reason: string;
	errors: Fault[];
	canonical: boolean;
	odd: Fault | null;
	changed: Span[];
	note: string;
	focus: Way | null;
}

export interface PacketParams {
	packet: number;
}

export interface ChildrenParams {
	packet: number;
	node: number;
	from: number;
	count: number;
}

export interface Children {
	total: number;
	from: number;
	items: Item[];
}

export interface Done {
}

export interface CompareParams {
	old: number;
	new: number;
}

export interface Compare {
	same: boolean;
	equal: boolean;
	total: number;
	list: Difference[];
}

export interface CompileParams {
	text: string;
	beside: TextFile[];
}

export interface Compiled {
	schema: string;
	diagnostics: Diagnostic[];
	marks: Marked[];
}

export interface CursorParams {
	text: string;
	beside: TextFile[];
	line: number;
	character: number;
}

export interface Completions {
	items: Completion[];
}

export interface DocumentParams {
	schema: string;
	changes: boolean;
}

export interface Document {
	schema: string;
	title: string;
	sections: DocSection[];
}

export interface ExamplesParams {
	schema: string;
}

export interface Examples {
	examples: Example[];
}

export interface ExportParams {
	packet: number;
	form: string;
}

export interface Export {
	text: string;
	name: string;
}

export interface FormatParams {
	text: string;
}

export interface Formatted {
	text: string;
}

export interface Hover {
	text: string;
	line: number;
	from: number;
	to: number;
}

export interface InsertParams {
	packet: number;
	node: number;
	after: boolean;
	key: string;
	text: string;
}

export interface LocateParams {
	packet: number;
	offset: number;
	to: number;
	node: number;
	part: number;
}

export interface Way {
	steps: Step[];
	rows: Place[];
}

export interface OpenParams {
	name: string;
	data: string; // base64
	schema: string;
	options: Options;
	pass: string;
	key: string;
}

export interface ReadByParams {
	packet: number;
	row: Place;
	after: number;
}

export interface ReadBy {
	total: number;
	items: Item[];
}

export interface NodeParams {
	packet: number;
	node: number;
	part: number;
}

export interface RereadParams {
	packet: number;
	schema: string;
	options: Options;
}

export interface RowParams {
	schema: string;
	row: Place;
}

export interface RowInfo {
	name: string;
	doc: string;
	errata: Erratum[];
	versions: RowVersion[];
}

export interface Saved {
	name: string;
	data: string; // base64
}

export interface SchemaParams {
	schema: string;
}

export interface SchemaText {
	schema: string;
	files: SchemaFile[];
}

export interface SchemasParams {
}

export interface Schemas {
	schemas: SchemaInfo[];
}

export interface SetParams {
	packet: number;
	node: number;
	part: number;
	text: string;
}

export interface SpliceParams {
	packet: number;
	at: number;
	remove: number;
	data: string; // base64
	focus: number;
}

export interface StepParams {
	packet: number;
	value: number;
	encode: boolean;
	at: number;
	move: string;
	target: string;
}

export interface Moment {
	value: number;
	values: number;
	step: number;
	steps: number;
	more: boolean;
	cursor: number;
	path: string;
	last: Span | null;
	digits: string;
	lastText: string;
	pc: number;
	next: string;
	row: Place | null;
	rule: string;
	registers: Setting[];
	record: string;
	fields: Setting[];
	frames: string[];
	result: string;
	error: Fault | null;
}

export interface Proposals {
	reason: string;
	candidates: Candidate[];
}

export interface WindowParams {
	packet: number;
	from: number;
	to: number;
}

export interface Window {
	from: number;
	data: string; // base64
	leaves: Leaf[];
}

export interface StartParams {
	files: OpenParams[];
	text: string;
	beside: TextFile[];
}

export interface Error {
	code: string;
	message: string;
	fault: Fault | null;
}

export interface Options {
	framed: string;
	objects: boolean;
	bare: boolean;
}

export interface Fault {
	kind: string;
	offset: number;
	path: string;
	message: string;
	expected: string;
	found: string;
	hint: string;
	row: Place | null;
	rule: string;
	resumed: boolean;
}

export interface Span {
	from: number;
	to: number;
}

export interface Item extends Span {
	node: number;
	part: number;
	kind: Kind;
	label: string;
	type: string;
	text: string;
	about: string;
	path: string;
	parts: number;
	row: Place | null;
	edit: Edit;
	input: string;
	element: boolean;
	list: boolean;
	keyed: boolean;
	cut: boolean;
}

export interface Difference {
	path: string;
	old: Span | null;
	new: Span | null;
	oldNode: number;
	newNode: number;
	oldText: string;
	newText: string;
}

export interface TextFile {
	id: string;
	text: string;
}

export interface Diagnostic {
	line: number;
	from: number;
	endLine: number;
	to: number;
	code: string;
	message: string;
	fixTitle: string;
	fixedText: string;
}

export interface Marked {
	line: number;
	from: number;
	len: number;
	sort: string;
}

export interface Completion {
	label: string;
	detail: string;
	doc: string;
	from: number;
	to: number;
}

export interface DocSection {
	title: DocSpan[];
	anchor: string;
	blocks: DocBlock[];
	sections: DocSection[];
}

export interface Example {
	name: string;
	data: string; // base64
	refused: string;
}

export interface Step {
	index: number;
	item: Item;
}

export interface Place {
	file: string;
	line: number;
}

export interface Erratum {
	name: string;
	in: string;
	says: string;
	engine: string;
	here: string;
}

export interface RowVersion {
	schema: string;
	title: string;
	same: boolean;
	text: string;
}

export interface SchemaFile {
	name: string;
	id: string;
	text: string;
	rows: number[];
	marks: Marked[];
}

export interface SchemaInfo {
	sort: string;
	about: string;
	id: string;
	title: string;
	family: string;
	extends: string;
	choices: string[];
	document: boolean;
}

export interface Setting {
	name: string;
	text: string;
}

export interface Candidate {
	schema: string;
	title: string;
	framed: string;
	objects: boolean;
	group: number;
	value: string;
	left: number;
	canonical: boolean;
}

export interface Leaf extends Span {
	node: number;
	kind: Kind;
	color: number;
}

export type Kind = "value" | "list" | "row" | "cell" | "derived" | "flags" | "padding" | "frame" | "gap" | "unread" | "trailing" | "part";

export type Edit = "" | "number" | "text" | "bool" | "value";

export interface DocSpan {
	text: string;
	sort: string;
	ref: string;
}

export interface DocBlock {
	sort: string;
	text: DocSpan[];
	items: DocSpan[][];
	head: string[];
	rows: DocRow[];
	lines: string;
	about: string;
	data: string; // base64
}

export interface DocRow {
	cells: DocSpan[][];
	row: Place | null;
}

/** Methods has the parameters and the result of each method. */
export interface Methods {
	assemble: { params: AssembleParams; result: Packet };
	canonical: { params: PacketParams; result: Packet };
	children: { params: ChildrenParams; result: Children };
	close: { params: PacketParams; result: Done };
	compare: { params: CompareParams; result: Compare };
	compile: { params: CompileParams; result: Compiled };
	complete: { params: CursorParams; result: Completions };
	document: { params: DocumentParams; result: Document };
	examples: { params: ExamplesParams; result: Examples };
	export: { params: ExportParams; result: Export };
	format: { params: FormatParams; result: Formatted };
	hover: { params: CursorParams; result: Hover };
	insert: { params: InsertParams; result: Packet };
	locate: { params: LocateParams; result: Way };
	open: { params: OpenParams; result: Packet };
	readBy: { params: ReadByParams; result: ReadBy };
	remove: { params: NodeParams; result: Packet };
	reread: { params: RereadParams; result: Packet };
	row: { params: RowParams; result: RowInfo };
	save: { params: PacketParams; result: Saved };
	schema: { params: SchemaParams; result: SchemaText };
	schemas: { params: SchemasParams; result: Schemas };
	set: { params: SetParams; result: Packet };
	splice: { params: SpliceParams; result: Packet };
	step: { params: StepParams; result: Moment };
	which: { params: PacketParams; result: Proposals };
	window: { params: WindowParams; result: Window };
	start: { params: Record<string, never>; result: StartParams };
}
