// The page.

import { AssemblyPane } from "./assembly";
import { connect, fromBase64, toBase64 } from "./backend";
import { BytesPane } from "./bytes";
import { ComparePane } from "./compare";
import { DocumentPane } from "./document";
import { button, byId, h, hex } from "./dom";
import { SchemaEditor } from "./editor";
import { KeepingBackend } from "./keeper";
import { cycle, KeysDialog } from "./keys";
import { GalleryPane } from "./gallery";
import { fromLink, toLink } from "./link";
import { Menu } from "./menu";
import type { Example, Packet } from "./messages";
import { SchemaPane } from "./schema";
import { SecretDialog } from "./secret";
import { StepPane } from "./stepper";
import { Store } from "./store";
import { TreePane } from "./tree";
import { ValueEditor } from "./value";
import { VersionsPane } from "./versions";

const store = new Store(new KeepingBackend(connect()));
const secrets = new SecretDialog();
store.ask = (message) => secrets.ask(message);
const keys = new KeysDialog();
document.body.append(secrets.element, keys.element);

/** firstSchema is shown if there is no file to open. */
const firstSchema = "godot-4.4";

// Panes.

function pane(id: string, title: string, ...body: HTMLElement[]): HTMLElement {
	return h("section", { class: "pane", id, "aria-label": title }, h("header", {}, h("h2", {}, title)), ...body);
}

/** legend names the kinds of bytes in the way that they are shown. */
const legend = h(
	"span",
	{ class: "legend" },
	...["derived", "flags", "padding", "unread"].map((kind) => h("span", { class: "k-" + kind }, kind === "unread" ? "not read" : kind)),
);

const value = new ValueEditor(store, () => tree.element.focus());
const bytes = new BytesPane(store);
const tree: TreePane = new TreePane(
	store,
	() => value.focus(),
	() => void value.insertAfter(),
	() => void value.remove(),
);
byId("panes").append(
	pane("pane-bytes", "Bytes", bytes.element),
	pane("pane-tree", "Values", tree.element, value.element),
	pane("pane-schema", "Schema", new SchemaPane(store).element),
	pane("pane-document", "Document", new DocumentPane(store).element),
);
document.querySelector("#pane-bytes > header")?.append(legend);

// Tools below the panes, of which one is shown.

const compare = new ComparePane(store);
const versions = new VersionsPane(store, (before) => void showChanges(before));
const editor = new SchemaEditor(store);
const gallery = new GalleryPane(store, (schema) => void startSchema(schema));
const assembly = new AssemblyPane(store);
const stepper = new StepPane(store);

interface Tool {
	element: HTMLElement;
	show(): unknown;
}
const tools: Record<string, Tool> = {
	Gallery: { element: gallery.element, show: () => gallery.show() },
	Versions: { element: versions.element, show: () => versions.show() },
	Differences: { element: compare.element, show: () => undefined },
	"Schema editor": { element: editor.element, show: () => editSchema() },
	"Text form": { element: assembly.element, show: () => assembly.show() },
	Step: { element: stepper.element, show: () => stepper.go("", "") },
};
const tool = byId("tool");
const tabs = new Map<string, HTMLButtonElement>();
let current = "";

function open(name: string): void {
	current = name;
	tool.hidden = name === "";
	for (const [other, tab] of tabs) tab.setAttribute("aria-pressed", String(other === name));
	const t = tools[name];
	if (!t) return;
	const focused = tool.contains(document.activeElement) && !t.element.contains(document.activeElement);
	tool.setAttribute("aria-label", name);
	if (tool.firstElementChild !== t.element) tool.replaceChildren(t.element);
	if (focused) tabs.get(name)?.focus();
	void t.show();
}

/** closeTool closes the tool, and puts the focus on its tab. */
function closeTool(): void {
	const tab = tabs.get(current);
	open("");
	(tab ?? tabs.values().next().value)?.focus();
}

async function showChanges(before: Packet): Promise<void> {
	open("Differences");
	await compare.show(before);
}

/** startSchema edits the text of a schema. */
async function startSchema(schema: string): Promise<void> {
	const text = await store.attempt(() => store.backend.call("schema", { schema }));
	if (!text) return;
	editor.beginSchema(schema, text.files[0]?.text ?? "");
	open("Schema editor");
}

/** editSchema begins with the text of the packet's schema. Changes of another text are kept. */
async function editSchema(): Promise<void> {
	const schema = store.packet?.schema;
	if (!schema || !editor.follows || editor.edits === schema || schema.startsWith("text:")) return;
	const text = await store.attempt(() => store.backend.call("schema", { schema }));
	if (text) editor.beginSchema(schema, text.files[0]?.text ?? "");
}

// The bar.

async function openFile(file: File): Promise<void> {
	await store.open(file.name, new Uint8Array(await file.arrayBuffer()));
}

const picker = h("input", { type: "file", hidden: "", "aria-label": "File to open" });
picker.addEventListener("change", () => {
	const file = picker.files?.[0];
	picker.value = "";
	if (file) void openFile(file);
});
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", (e) => {
	e.preventDefault();
	const file = e.dataTransfer?.files[0];
	if (file) void openFile(file);
});

const second = h("input", { type: "file", hidden: "", "aria-label": "File to compare with" });
second.addEventListener("change", () => {
	const file = second.files?.[0];
	second.value = "";
	const packet = store.packet;
	if (!file || !packet) return;
	void store.attempt(async () => {
		const data = toBase64(new Uint8Array(await file.arrayBuffer()));
		const other = await store.opened({ name: file.name, data, schema: packet.schema, options: packet.options, pass: "", key: "" });
		await showChanges(other);
	});
});

const schemas = h("select", { "aria-label": "Schema" });
schemas.addEventListener("change", () => {
	const before = store.packet;
	if (!before || before.schema === schemas.value) return;
	void store.reread(schemas.value, { ...before.options, framed: "" }).then((done) => {
		if (done) void showChanges(before);
	});
});
const examples = new Menu("Examples…");

/** examplesOf lists the examples of a schema. */
async function examplesOf(schema: string): Promise<Example[]> {
	const list = (await store.load(() => store.backend.call("examples", { schema })))?.examples ?? [];
	if (listed === schema || listed === "") examples.fill(list.map((e) => ({ name: e.refused ? `${e.name} (refused: ${e.refused})` : e.name, run: () => void store.open(e.name, fromBase64(e.data), schema) })));
	return list;
}
let listed = ""; // the schema whose examples are listed

const forms: [string, string][] = [
	["hex", "Hexadecimal digits"],
	["text", "Notation of the schema"],
	["json", "JSON"],
	["go", "Go literal"],
	["typescript", "TypeScript literal"],
	["python", "Python literal"],
	["gdscript", "GDScript literal"],
	["assembly", "Text form (octable asm)"],
];
const copy = new Menu(
	"Copy as…",
	forms.map(([form, name]) => ({ name, run: () => void copyAs(form) })),
);

async function copyAs(form: string): Promise<void> {
	const packet = store.packet;
	if (packet) await store.attempt(async () => copied((await store.backend.call("export", { packet: packet.packet, form })).text));
}

async function copied(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		said.textContent = "Copied.";
	} catch {
		const area = h("textarea", { "aria-label": "Text to copy", readonly: "" });
		area.value = text;
		open("");
		tool.hidden = false;
		tool.replaceChildren(area);
		area.focus();
		area.select();
	}
}

function download(name: string, data: Uint8Array<ArrayBuffer>): void {
	const url = URL.createObjectURL(new Blob([data]));
	h("a", { href: url, download: name || "packet.bin" }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function save(): Promise<void> {
	const packet = store.packet;
	if (!packet) return;
	const s = await store.attempt(() => store.backend.call("save", { packet: packet.packet }));
	if (s) download(s.name, fromBase64(s.data).slice());
}

async function link(): Promise<void> {
	const packet = store.packet;
	if (!packet) return;
	await store.attempt(async () => {
		const s = await store.backend.call("save", { packet: packet.packet });
		const own = packet.schema.startsWith("text:");
		const content = { name: packet.name, data: s.data, schema: own ? "" : packet.schema, ...(own ? editor.sharedText(packet.schema) : { text: "", beside: [] }), options: packet.options };
		history.replaceState(null, "", await toLink(content)); // no event: the packet is open
		await copied(location.href);
	});
}

const undo = button("Undo", () => store.undo(), { "aria-keyshortcuts": "Control+Z" });
const redo = button("Redo", () => store.redo(), { "aria-keyshortcuts": "Control+Shift+Z" });
const title = h("span", { class: "title" });
const said = h("span", { class: "title", role: "status" });
const schemes = ["light dark", "light", "dark"];
const theme = button("Theme", () => {
	const now = schemes.indexOf(document.documentElement.style.colorScheme || "light dark");
	const scheme = schemes[(now + 1) % schemes.length] ?? "";
	document.documentElement.style.colorScheme = scheme;
	said.textContent = scheme === "light dark" ? "Colours of the system." : `Colours: ${scheme}.`;
});
byId("bar").append(
	h("h1", {}, "octable"),
	button("Open…", () => picker.click()),
	picker,
	schemas,
	examples.element,
	undo,
	redo,
	button("Canonical", () => void store.edit((packet) => store.backend.call("canonical", { packet })), { title: "Write the values again as a writer does: lengths, padding and checksums become right" }),
	copy.element,
	button("Save", () => void save(), { "aria-keyshortcuts": "Control+S" }),
	button("Link", () => void link(), { title: "Copy an address that holds the packet and the schema" }),
	button("Compare…", () => second.click(), { title: "Open another file and show the differences" }),
	second,
	theme,
	button("Keys", () => keys.show()),
	title,
	said,
);
for (const name of Object.keys(tools)) {
	const tab = button(name, () => open(current === name ? "" : name), { "aria-pressed": "false" });
	tabs.set(name, tab);
	byId("tabs").append(tab);
}

document.addEventListener("keydown", (e) => {
	const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement;
	const control = e.ctrlKey || e.metaKey;
	const letter = e.key.toLowerCase();
	if (document.querySelector("dialog[open]")) return;
	if (e.key === "F6") cycle(e.shiftKey);
	else if (e.key === "Escape" && !tool.hidden && tool.contains(document.activeElement)) closeTool();
	else if (control && letter === "s") void save();
	else if (control && !typing && letter === "z" && !e.shiftKey) store.undo();
	else if (control && !typing && (letter === "y" || letter === "z")) store.redo();
	else return;
	e.preventDefault();
});

// What the store says.

store.on("packet", () => {
	const p = store.packet;
	if (!p) return;
	title.textContent = `${p.name || "packet"}, ${p.size} bytes${p.canonical ? ", canonical" : ""}${p.layers.map((l) => ", " + l).join("")}`;
	said.textContent = p.note || (p.reason && `${p.schema}: ${p.reason}`);
	for (const o of [...schemas.options]) if (o.value.startsWith("text:") && o.value !== p.schema) o.remove();
	if (![...schemas.options].some((o) => o.value === p.schema)) schemas.append(h("option", { value: p.schema }, p.schema.startsWith("text:") ? "edited schema" : p.schema));
	schemas.value = p.schema;
	if (listed !== p.schema) void examplesOf((listed = p.schema));
	undo.disabled = !store.canUndo;
	redo.disabled = !store.canRedo;
	if (current === "Text form") void assembly.show();
	if (current === "Schema editor") void editSchema();
});

store.on("selection", () => {
	const s = store.selection;
	const crumbs = (s?.way.steps ?? []).map((step) => {
		const { item } = step;
		return button(item.label || item.type || "packet", () => void store.selectNode(item.node, item.part));
	});
	const n = s ? s.span.to - s.span.from : 0;
	const range = s ? `0x${hex(s.span.from, 1)}${n > 1 ? ` to 0x${hex(s.span.to - 1, 1)}` : ""}, ${n} ${n === 1 ? "byte" : "bytes"}` : "";
	const bar = byId("crumbs");
	const focused = bar.contains(document.activeElement);
	bar.replaceChildren(...crumbs, h("span", { class: "range" }, range));
	if (focused) crumbs.at(-1)?.focus();
});

const faults = (): void => {
	const list = (store.packet?.errors ?? []).map((f) => {
		const e = button(f.message, () => void store.selectOffset(f.offset), { class: "fault" });
		return h("div", {}, e, h("span", { class: "hint" }, f.resumed ? f.hint + " Reading went on." : f.hint));
	});
	const odd = store.packet?.odd;
	if (odd) list.push(h("div", {}, button(odd.message, () => void store.selectOffset(odd.offset), { class: "odd" })));
	if (store.error) list.unshift(h("div", { class: "fault" }, store.error.message));
	byId("faults").replaceChildren(...list);
};
store.on("packet", faults);
store.on("error", faults);
store.on("busy", () => document.body.classList.toggle("busy", store.busy > 0));

// The beginning: a file of the command, a link, or an example.

async function beginLink(): Promise<boolean> {
	const shared = await fromLink(location.hash).catch((e: unknown) => {
		store.fail("The link cannot be opened: " + String(e));
		return null;
	});
	if (!shared) return false;
	let schema = shared.schema;
	if (shared.text !== "") {
		const compiled = await store.attempt(() => store.backend.call("compile", { text: shared.text, beside: shared.beside }));
		schema = compiled?.schema ?? "";
		editor.beginText(shared.text, shared.beside);
	}
	await store.open(shared.name, fromBase64(shared.data), schema, shared.options);
	return store.packet !== null;
}

async function beginFiles(): Promise<boolean> {
	const start = await store.backend.call("start", {}).catch(() => ({ files: [], text: "", beside: [] }));
	const [first, other] = start.files ?? [];
	if (!first) return false;
	if (start.text !== "") {
		const compiled = await store.attempt(() => store.backend.call("compile", { text: start.text, beside: start.beside ?? [] }));
		first.schema = compiled?.schema ?? "";
		editor.beginText(start.text, start.beside ?? []);
	}
	await store.openFile(first);
	const packet = store.packet;
	if (other && packet) {
		const before = await store.attempt(() => store.opened({ ...other, schema: packet.schema, options: packet.options }));
		if (before) await showChanges(before);
	}
	return true;
}

async function begin(): Promise<void> {
	if (!(await beginLink()) && !(await beginFiles())) {
		const example = (await examplesOf(firstSchema))[0];
		if (example) await store.open(example.name, fromBase64(example.data), firstSchema);
	}
	const list = await store.load(() => store.backend.call("schemas", {}));
	const own = [...schemas.options].filter((o) => o.value.startsWith("text:") && o.value === store.packet?.schema);
	const known = (list?.schemas ?? []).flatMap((s) => [s.id, ...s.choices.slice(1).map((c) => `${s.id}+${c}`)].map((id) => h("option", { value: id, title: s.title }, id)));
	schemas.replaceChildren(...own, ...known);
	if (store.packet) schemas.value = store.packet.schema;
}
window.addEventListener("hashchange", () => void beginLink());
void begin();
