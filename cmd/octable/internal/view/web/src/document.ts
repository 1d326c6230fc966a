// The pane of the document, with a description of the current row above it.

import { button, h } from "./dom";
import type { DocBlock, DocSection, DocSpan, Place, RowVersion } from "./messages";
import type { Store } from "./store";

const key = (p: Place): string => `${p.file}:${p.line}`;

/** placeOf is the inverse of key. */
const placeOf = (k: string): Place => ({ file: k.slice(0, k.lastIndexOf(":")), line: Number(k.slice(k.lastIndexOf(":") + 1)) });

/** DocumentPane shows the page that "octable docs" makes, at the row of the selection. */
export class DocumentPane {
	readonly element: HTMLElement;
	private readonly about = h("div", { class: "row-info", role: "group", "aria-label": "The current row", "aria-live": "polite" });
	private readonly body = h("article", { class: "document", tabindex: "0", "aria-label": "Document" });
	private readonly changes = button("Changes", () => void this.showChanges());
	private schema = "";
	private rows = new Map<string, HTMLElement>();
	private sections = new Map<string, HTMLElement>();
	private marked: HTMLElement[] = [];
	private here = ""; // the row that keys are about

	constructor(private readonly store: Store) {
		this.element = h("div", { class: "pane-body" }, h("div", { class: "tabs" }, this.changes), this.about, this.body);
		this.body.addEventListener("keydown", (e) => this.key(e));
		store.on("packet", () => void this.load());
		store.on("selection", () => void this.follow());
	}

	private async load(): Promise<void> {
		const schema = this.store.packet?.schema;
		if (!schema || schema === this.schema) return;
		this.schema = schema;
		await this.fill(schema, false);
		void this.follow();
	}

	/** showChanges shows the page with the changes since the schema that it extends, which takes longer, at their section. */
	private async showChanges(): Promise<void> {
		await this.fill(this.schema, true);
		const e = [...this.sections].find(([anchor]) => anchor.endsWith("_changes"))?.[1];
		if (e) e.scrollIntoView({ block: "start" });
		else this.body.prepend(h("p", { class: "note", role: "status" }, "This schema extends no other, so it has no changes."));
	}

	private async fill(schema: string, changes: boolean): Promise<void> {
		const doc = await this.store.load(() => this.store.backend.call("document", { schema, changes }));
		if (!doc || schema !== this.store.packet?.schema) return;
		this.rows.clear();
		this.sections.clear();
		this.body.replaceChildren(h("h2", {}, doc.title), ...doc.sections.map((s) => this.section(s, 3)));
	}

	private section(s: DocSection, level: number): HTMLElement {
		const e = h("section", {}, h(level > 4 ? "h5" : level > 3 ? "h4" : "h3", {}, ...this.spans(s.title)));
		this.sections.set(s.anchor, e);
		e.append(...s.blocks.map((b) => this.block(b)), ...s.sections.map((x) => this.section(x, level + 1)));
		return e;
	}

	private spans(list: DocSpan[]): Node[] {
		return list.map((s) => {
			switch (s.sort) {
				case "code":
					return h("code", {}, s.text);
				case "emph":
					return h("em", {}, s.text);
				case "link": {
					const link = h("button", { type: "button", class: "link" }, s.text);
					link.addEventListener("click", () => this.sections.get(s.ref)?.scrollIntoView({ block: "start" }));
					return link;
				}
			}
			return document.createTextNode(s.text);
		});
	}

	private block(b: DocBlock): HTMLElement {
		switch (b.sort) {
			case "list":
				return h("ul", {}, ...b.items.map((i) => h("li", {}, ...this.spans(i))));
			case "table": {
				const body = h("tbody");
				for (const r of b.rows) {
					const row = h("tr", {}, ...r.cells.map((c) => h("td", {}, ...this.spans(c))));
					const place = r.row;
					if (place) {
						if (!this.rows.has(key(place))) this.rows.set(key(place), row);
						row.addEventListener("click", (e) => void (e.shiftKey ? this.store.extendTo(place) : this.store.selectRow(place)));
					}
					body.append(row);
				}
				return h("div", { class: "wide", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ...b.head.map((t) => h("th", { scope: "col" }, t)))), body));
			}
			case "listing":
				return h("pre", { tabindex: "0" }, b.lines);
			case "dump":
				return h("figure", {}, h("figcaption", {}, b.about), h("pre", { tabindex: "0" }, b.lines));
			case "note":
				return h("p", { class: "note" }, ...this.spans(b.text));
		}
		return h("p", {}, ...this.spans(b.text));
	}

	/** reveal scrolls the document, and not the page around it, until an element is visible. */
	private reveal(e: HTMLElement): void {
		const all = this.body.getBoundingClientRect();
		const one = e.getBoundingClientRect();
		if (one.top < all.top || one.bottom > all.bottom) this.body.scrollTop += one.top - all.top - all.height / 3;
	}

	/** key moves from row to row. Other keys scroll. */
	private key(e: KeyboardEvent): void {
		const by = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[e.key];
		if (by === undefined || e.target !== this.body || e.ctrlKey || e.metaKey || e.altKey) return;
		const rows = [...this.rows];
		const at = rows.findIndex(([k]) => k === this.here);
		const next = rows[Math.max(0, Math.min(at + by, rows.length - 1))];
		if (!next) return;
		e.preventDefault();
		this.here = next[0];
		void (e.shiftKey ? this.store.extendTo(placeOf(next[0])) : this.store.selectRow(placeOf(next[0])));
	}

	/** mark marks rows. */
	private mark(rows: Place[]): void {
		for (const e of this.marked) e.classList.remove("on");
		this.marked = rows.flatMap((p) => this.rows.get(key(p)) ?? []);
		for (const e of this.marked) e.classList.add("on");
		const last = this.rows.get(this.here);
		if (last && this.marked.includes(last)) this.reveal(last);
		else if (this.marked[0]) this.reveal(this.marked[0]);
	}

	private async follow(): Promise<void> {
		const s = this.store.selection;
		const row = s?.row;
		const packet = this.store.packet;
		const places = [s?.row, ...(s?.way.steps ?? []).map((step) => step.item.row).reverse()].flatMap((p) => (p && this.rows.has(key(p)) ? [p] : []));
		if (places[0] && !s?.range) this.here = key(places[0]);
		this.mark(s?.range && s.way.rows.length > 0 ? s.way.rows : places.slice(0, 1));
		if (!row || !packet) {
			this.about.replaceChildren();
			return;
		}
		const info = await this.store.load(() => this.store.backend.call("row", { schema: packet.schema, row }));
		if (!info || this.store.selection?.row !== row) return;
		this.about.replaceChildren(
			h("strong", {}, info.name),
			h("span", {}, info.doc),
			...info.errata.map((e) => h("details", {}, h("summary", {}, `${e.name}: ${e.in}`), h("p", {}, e.says), h("p", {}, e.engine), h("p", {}, e.here))),
			...versionsOf(info.versions),
		);
	}
}

/** versionsOf says what other versions have in place of a row. */
function versionsOf(list: RowVersion[]): HTMLElement[] {
	if (list.length === 0) return [];
	const differ = list.filter((v) => !v.same).length;
	const items = list.map((v) => {
		const says = v.same ? "the same" : v.text === "" ? "has no such row" : h("code", {}, v.text);
		return h("li", {}, h("em", {}, v.schema), " ", says);
	});
	return [h("details", {}, h("summary", {}, `other versions: ${differ} of ${list.length} differ`), h("ul", {}, ...items))];
}
