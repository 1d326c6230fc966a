// The pane of the schema: its files, with the current row marked.

import { h } from "./dom";
import type { Marked, SchemaFile, SchemaText } from "./messages";
import type { Store } from "./store";
import { VirtualList } from "./virtual";

/** SchemaPane shows the rows that read the packet. */
export class SchemaPane {
	readonly element: HTMLElement;
	private readonly tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Files of the schema" });
	private readonly list: VirtualList;
	private text: SchemaText | null = null;
	private file: SchemaFile | null = null;
	private lines: string[] = [];
	private marks = new Map<number, Marked[]>();
	private rows = new Set<number>();

	constructor(private readonly store: Store) {
		this.list = new VirtualList(20, (i) => this.line(i), { class: "code", role: "listbox", "aria-label": "Schema" });
		this.list.element.addEventListener("click", (e) => {
			const line = e.target instanceof Element ? e.target.closest<HTMLElement>("[data-line]")?.dataset["line"] : undefined;
			if (line !== undefined && this.file) void store.selectRow({ file: this.file.name, line: Number(line) });
		});
		this.element = h("div", { class: "pane-body" }, this.tabs, this.list.element);
		store.on("packet", () => void this.load());
		store.on("selection", () => this.follow());
	}

	private async load(): Promise<void> {
		const schema = this.store.packet?.schema;
		if (!schema || schema === this.text?.schema) return;
		const text = await this.store.load(() => this.store.backend.call("schema", { schema }));
		if (!text || schema !== this.store.packet?.schema) return;
		this.text = text;
		this.show(text.files[0] ?? null);
		this.follow();
	}

	private show(file: SchemaFile | null): void {
		this.file = file;
		this.lines = file?.text.split("\n") ?? [];
		this.rows = new Set(file?.rows);
		this.marks.clear();
		for (const m of file?.marks ?? []) this.marks.set(m.line, [...(this.marks.get(m.line) ?? []), m]);
		this.tabs.replaceChildren(
			...(this.text?.files ?? []).map((f) => {
				const tab = h("button", { type: "button", role: "tab", "aria-selected": String(f === file) }, f.name);
				tab.addEventListener("click", () => this.show(f));
				return tab;
			}),
		);
		this.list.setTotal(this.lines.length);
	}

	private line(i: number): HTMLElement {
		const number = i + 1;
		const row = this.store.selection?.row;
		const on = row?.file === this.file?.name && row?.line === number;
		const line = h("div", { class: "line", role: "option", "aria-label": `${number}: ${this.lines[i] ?? ""}`, "aria-selected": String(on), "data-line": String(number) });
		line.classList.toggle("on", on);
		line.classList.toggle("row", this.rows.has(number));
		line.append(h("span", { class: "number", "aria-hidden": "true" }, String(number)), highlighted(this.lines[i] ?? "", this.marks.get(i) ?? []));
		return line;
	}

	private follow(): void {
		const row = this.store.selection?.row;
		if (!row || !this.text) return;
		if (row.file !== this.file?.name) {
			const file = this.text.files.find((f) => f.name === row.file);
			if (file) this.show(file);
		}
		if (row.file === this.file?.name) this.list.scrollTo(row.line - 1);
		this.list.refresh();
	}
}

/** highlighted returns a line with its words marked. */
export function highlighted(text: string, marks: Marked[]): HTMLElement {
	const out = h("span", { class: "source" });
	let at = 0;
	for (const m of marks) {
		if (m.from > at) out.append(text.slice(at, m.from));
		out.append(h("span", { class: "t-" + m.sort }, text.slice(m.from, m.from + m.len)));
		at = m.from + m.len;
	}
	out.append(text.slice(at));
	return out;
}
