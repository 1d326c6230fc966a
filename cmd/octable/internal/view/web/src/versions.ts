// The schemas that a packet may be of.

import { button, h } from "./dom";
import type { Candidate, Packet } from "./messages";
import type { Store } from "./store";

/** VersionsPane lists proposed schemas. Choosing one shows what it reads differently. */
export class VersionsPane {
	readonly element = h("div", { class: "tool-body" });

	constructor(
		private readonly store: Store,
		private readonly compare: (before: Packet) => void,
	) {}

	/** show asks for the candidates. */
	async show(): Promise<void> {
		const packet = this.store.packet;
		if (!packet) return;
		this.element.replaceChildren(h("p", { role: "status" }, "Reading by every schema…"));
		const w = await this.store.attempt(() => this.store.backend.call("which", { packet: packet.packet }));
		if (!w || packet !== this.store.packet) return;
		const accepted = w.candidates.filter((c) => c.group >= 0);
		const refused = w.candidates.filter((c) => c.group < 0);
		this.element.replaceChildren(
			h("p", {}, w.reason.charAt(0).toUpperCase() + w.reason.slice(1) + "."),
			this.table(accepted),
			h("details", {}, h("summary", {}, `${refused.length} refuse the bytes`), this.table(refused)),
		);
	}

	private table(list: Candidate[]): HTMLElement {
		const head = h("tr", {}, ...["Schema", "Reads", "Left over", "Canonical"].map((t) => h("th", { scope: "col" }, t)));
		const rows = list.map((c, i) => {
			const name = c.schema + (c.framed ? `, lengths ${c.framed}-endian` : "");
			const first = c.group >= 0 && list[i - 1]?.group !== c.group;
			return h(
				"tr",
				first ? { class: "group" } : {},
				h("td", {}, button(name, () => void this.choose(c), { class: "link", title: c.title })),
				h("td", {}, h("code", {}, c.value)),
				h("td", {}, c.left > 0 ? `${c.left} bytes` : ""),
				h("td", {}, c.group < 0 ? "" : c.canonical ? "yes" : "no"),
			);
		});
		return h("div", { class: "wide", tabindex: "0" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
	}

	private async choose(c: Candidate): Promise<void> {
		const before = this.store.packet;
		if (!before) return;
		const done = await this.store.reread(c.schema, { framed: c.framed, objects: c.objects, bare: before.options.bare });
		if (done) this.compare(before);
	}
}
