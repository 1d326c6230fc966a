// The pane of the schema: its files, with the current row marked.

import { h } from "./dom";
import type { Marked, SchemaFile, SchemaText } from "./messages";
import type { Store } from "./store";
import { freshId, type Line, VirtualList } from "./virtual";

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
		this.list = new VirtualList(20, () => this.makeLine(), { class: "code", role: "listbox", "aria-label": "Schema" });
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

	private makeLine(): Line {
		const number = h("span", { class: "number", "aria-hidden": "true" });
		const source = h("span", { class: "source" });
		const element = h("div", { role: "option", id: freshId() }, number, source);
		const show = (i: number): void => {
			const row = this.store.selection?.row;
			const on = row?.file === this.file?.name && row?.line === i + 1;
			const text = this.lines[i] ?? "";
			element.setAttribute("aria-label", `${i + 1}: ${text}`);
			element.setAttribute("aria-selected", String(on));
			element.dataset["line"] = String(i + 1);
			element.className = `line${on ? " on" : ""}${this.rows.has(i + 1) ? " row" : ""}`;
			number.textContent = String(i + 1);
			source.replaceChildren(...highlighted(text, this.marks.get(i) ?? []));
		};
		return { element, show };
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

/** highlighted returns the parts of a line, with its words marked. */
export function highlighted(text: string, marks: Marked[]): (Node | string)[] {
	const out: (Node | string)[] = [];
	let at = 0;
	for (const m of marks) {
		if (m.from > at) out.push(text.slice(at, m.from));
		out.push(h("span", { class: "t-" + m.sort }, text.slice(m.from, m.from + m.len)));
		at = m.from + m.len;
	}
	out.push(text.slice(at));
	return out;
}
