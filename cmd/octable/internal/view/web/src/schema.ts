// The pane of the schema: its files, with the current row marked.

import { h } from "./dom";
import type { Marked, Place, SchemaFile, SchemaText } from "./messages";
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
	private here = 0; // the line that keys are about

	constructor(private readonly store: Store) {
		this.list = new VirtualList(20, () => this.makeLine(), { class: "code", role: "listbox", "aria-multiselectable": "true", "aria-label": "Schema" });
		this.list.element.addEventListener("click", (e) => {
			const line = e.target instanceof Element ? e.target.closest<HTMLElement>("[data-line]")?.dataset["line"] : undefined;
			if (line !== undefined) this.go(Number(line), true, e.shiftKey);
		});
		this.list.element.addEventListener("keydown", (e) => this.key(e));
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

	/** go moves to a line, and selects what it has read if it is a row. With next it selects the next of several; with range, all bytes up to it. */
	private go(line: number, next: boolean, range: boolean): void {
		if (!this.file) return;
		this.here = Math.max(1, Math.min(line, this.lines.length));
		const row = this.store.selection?.row;
		const same = row?.file === this.file.name && row.line === this.here;
		const place = { file: this.file.name, line: this.here };
		if (this.rows.has(this.here) && range) void this.store.extendTo(place);
		else if (this.rows.has(this.here) && (next || !same)) void this.store.selectRow(place);
		this.list.scrollTo(this.here - 1);
		this.list.refresh();
	}

	private key(e: KeyboardEvent): void {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		const moves: Record<string, number> = {
			ArrowUp: this.here - 1,
			ArrowDown: this.here + 1,
			PageUp: this.here - this.list.pageLines,
			PageDown: this.here + this.list.pageLines,
			Home: 1,
			End: this.lines.length,
			Enter: this.here,
		};
		const to = moves[e.key];
		if (to === undefined) return;
		e.preventDefault();
		this.go(to, e.key === "Enter", e.shiftKey);
	}

	private show(file: SchemaFile | null): void {
		this.file = file;
		this.here = 1;
		const focused = this.tabs.contains(document.activeElement);
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
		if (focused) this.tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
		this.list.setTotal(this.lines.length);
	}

	private makeLine(): Line {
		const number = h("span", { class: "number", "aria-hidden": "true" });
		const source = h("span", { class: "source" });
		const element = h("div", { role: "option", id: freshId() }, number, source);
		const show = (i: number): void => {
			const on = this.marked(i + 1);
			const text = this.lines[i] ?? "";
			element.setAttribute("aria-label", `${i + 1}: ${text}`);
			element.setAttribute("aria-selected", String(on));
			element.dataset["line"] = String(i + 1);
			element.className = `line${on ? " on" : ""}${i + 1 === this.here ? " here" : ""}${this.rows.has(i + 1) ? " row" : ""}`;
			number.textContent = String(i + 1);
			source.replaceChildren(...highlighted(text, this.marks.get(i) ?? []));
		};
		return { element, show };
	}

	/** marked reports whether a line is a row of the selection. */
	private marked(line: number): boolean {
		const s = this.store.selection;
		const is = (row: Place): boolean => row.file === this.file?.name && row.line === line;
		return s !== null && (s.range && s.way.rows.length > 0 ? s.way.rows.some(is) : s.row !== null && is(s.row));
	}

	private follow(): void {
		const s = this.store.selection;
		const row = (s?.range ? s.way.rows[0] : undefined) ?? s?.row;
		if (!row || !this.text) return;
		if (row.file !== this.file?.name) {
			const file = this.text.files.find((f) => f.name === row.file);
			if (file) this.show(file);
		}
		if (row.file === this.file?.name && !(s?.range && this.marked(this.here))) {
			this.here = row.line;
			this.list.scrollTo(row.line - 1);
		}
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
