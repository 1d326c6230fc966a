// Two packets side by side, with their differences.

import { BytesPane } from "./bytes";
import { button, h, hex } from "./dom";
import type { Difference, Packet } from "./messages";
import { Store } from "./store";
import { TreePane } from "./tree";

/** named returns the name of a schema for people. */
const named = (schema: string): string => (schema.startsWith("text:") ? "edited schema" : schema);

/** ComparePane shows another packet, or another reading, beside the one of the page. */
export class ComparePane {
	readonly element: HTMLElement;
	private readonly other: Store;
	private readonly summary = h("p", { role: "status" }, "Nothing is compared yet. Choose another schema above, or open another file with Compare…");
	private readonly list = h("tbody");
	private readonly names = [h("h3"), h("h3")];

	constructor(private readonly store: Store) {
		this.other = new Store(store.backend);
		const table = h("table", {}, h("thead", {}, h("tr", {}, ...["Place", "Before", "Now"].map((t) => h("th", { scope: "col" }, t)))), this.list);
		const sides = [this.other, store].map((s, i) => h("div", {}, this.names[i] ?? null, new BytesPane(s).element, new TreePane(s).element));
		const beside = h("div", { class: "beside" }, ...sides);
		this.element = h("div", { class: "tool-body compare" }, this.summary, beside, h("div", { class: "wide", tabindex: "0" }, table));
	}

	/** show compares a packet, as the one before, with that of the page. */
	async show(before: Packet): Promise<void> {
		const now = this.store.packet;
		if (!now) return;
		this.other.adopt(before);
		const c = await this.store.attempt(() => this.store.backend.call("compare", { old: before.packet, new: now.packet }));
		if (!c || now !== this.store.packet) return;
		for (const [i, p] of [before, now].entries()) this.names[i]?.replaceChildren(`${i ? "Now" : "Before"}: ${p.name || "packet"}, ${named(p.schema)}`);
		const bytes = c.same ? "The bytes are the same" : "The bytes differ";
		const values = c.equal ? "the values are equal" : "the values differ";
		this.summary.textContent = `${named(before.schema)} and ${named(now.schema)}: ${bytes}, ${values}, ${c.total} ${c.total === 1 ? "part differs" : "parts differ"}.`;
		this.store.mark(c.list.flatMap((d) => (d.new ? [d.new] : [])).sort((a, b) => a.from - b.from));
		this.other.mark(c.list.flatMap((d) => (d.old ? [d.old] : [])).sort((a, b) => a.from - b.from));
		this.list.replaceChildren(...c.list.map((d) => this.line(d)));
	}

	private line(d: Difference): HTMLElement {
		const go = (): void => {
			if (d.newNode >= 0) void this.store.selectNode(d.newNode);
			if (d.oldNode >= 0) void this.other.selectNode(d.oldNode);
		};
		const at = d.new ?? d.old;
		const place = button(`${d.path || "packet"}, byte ${hex(at?.from ?? 0, 1)}`, go, { class: "link" });
		return h("tr", {}, h("td", {}, place), h("td", {}, d.old ? d.oldText : "none"), h("td", {}, d.new ? d.newText : "none"));
	}
}
