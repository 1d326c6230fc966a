// The page.

import { connect, fromBase64 } from "./backend";
import { BytesPane } from "./bytes";
import { DocumentPane } from "./document";
import { button, byId, h, hex } from "./dom";
import { SchemaPane } from "./schema";
import { Store } from "./store";
import { TreePane } from "./tree";

const store = new Store(connect());

function pane(id: string, title: string, body: HTMLElement): HTMLElement {
	return h("section", { class: "pane", id, "aria-label": title }, h("h2", {}, title), body);
}

byId("panes").append(
	pane("pane-bytes", "Bytes", new BytesPane(store).element),
	pane("pane-tree", "Values", new TreePane(store).element),
	pane("pane-schema", "Schema", new SchemaPane(store).element),
	pane("pane-document", "Document", new DocumentPane(store).element),
);

async function openFile(file: File): Promise<void> {
	await store.open(file.name, new Uint8Array(await file.arrayBuffer()));
}

const picker = h("input", { type: "file", hidden: "" });
picker.addEventListener("change", () => {
	const file = picker.files?.[0];
	if (file) void openFile(file);
});
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", (e) => {
	e.preventDefault();
	const file = e.dataTransfer?.files[0];
	if (file) void openFile(file);
});

const schemas = h("select", { "aria-label": "Schema" });
schemas.addEventListener("change", () => {
	const options = store.packet?.options;
	if (options) void store.reread(schemas.value, options);
	else void examplesOf(schemas.value);
});
const examples = h("select", { "aria-label": "Examples" });
examples.addEventListener("change", () => {
	const hexed = examples.value;
	const name = examples.selectedOptions[0]?.textContent ?? "";
	if (hexed) void store.open(name, fromBase64(hexed), schemas.value);
});

async function examplesOf(schema: string): Promise<void> {
	const list = await store.attempt(() => store.backend.call("examples", { schema }));
	examples.replaceChildren(h("option", { value: "" }, "Examples…"), ...(list?.examples ?? []).map((e) => h("option", { value: e.data }, e.name)));
}

const undo = button("Undo", () => store.undo());
const redo = button("Redo", () => store.redo());
const title = h("span", { class: "title" });
byId("bar").append(h("strong", {}, "octable"), button("Open…", () => picker.click()), picker, schemas, examples, undo, redo, title);

store.on("packet", () => {
	const p = store.packet;
	if (!p) return;
	title.textContent = `${p.name || "packet"}, ${p.size} bytes${p.canonical ? ", canonical" : ""}`;
	title.title = p.reason;
	if (![...schemas.options].some((o) => o.value === p.schema)) schemas.append(h("option", { value: p.schema }, p.schema));
	if (schemas.value !== p.schema || examples.options.length === 0) {
		schemas.value = p.schema;
		void examplesOf(p.schema);
	}
	undo.disabled = !store.canUndo;
	redo.disabled = !store.canRedo;
});

store.on("selection", () => {
	const s = store.selection;
	const crumbs = (s?.way.steps ?? []).map((step) => {
		const { item } = step;
		return button(item.label || item.type || "packet", () => void store.selectNode(item.node, item.part));
	});
	byId("crumbs").replaceChildren(...crumbs, h("span", { class: "range" }, s ? `bytes ${hex(s.span.from, 1)} to ${hex(s.span.to, 1)}, ${s.span.to - s.span.from} in all` : ""));
});

const faults = (): void => {
	const list = (store.packet?.errors ?? []).map((f) => {
		const e = button(f.message, () => void store.selectOffset(f.offset), { class: "fault" });
		return h("div", {}, e, h("span", { class: "hint" }, f.hint));
	});
	if (store.error) list.unshift(h("div", { class: "fault" }, store.error.message));
	byId("faults").replaceChildren(...list);
};
store.on("packet", faults);
store.on("error", faults);
store.on("busy", () => document.body.classList.toggle("busy", store.busy > 0));

/** firstSchema is shown if there is no file to open. */
const firstSchema = "godot-4.4";

async function begin(): Promise<void> {
	const start = await store.backend.call("start", {}).catch(() => ({ files: [], text: "" }));
	const first = start.files[0];
	if (first && start.text !== "") {
		const compiled = await store.attempt(() => store.backend.call("compile", { text: start.text }));
		first.schema = compiled?.schema ?? "";
	}
	if (first) await store.open(first.name, fromBase64(first.data), first.schema, first.options);
	else {
		await examplesOf(firstSchema);
		const example = examples.options[1];
		if (example) await store.open(example.textContent ?? "", fromBase64(example.value), firstSchema);
	}
	const list = await store.attempt(() => store.backend.call("schemas", {}));
	schemas.replaceChildren(...(list?.schemas ?? []).map((s) => h("option", { value: s.id, title: s.title }, s.id)));
	if (store.packet) schemas.value = store.packet.schema;
}
void begin();
