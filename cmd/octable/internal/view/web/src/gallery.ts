// The gallery: the schemas that octable has, with their examples.

import { fromBase64 } from "./backend";
import { button, h, hex } from "./dom";
import type { Example, SchemaInfo } from "./messages";
import type { Store } from "./store";

const groups: [string, string][] = [
	["format", "Formats"],
	["engine", "Versions of engines"],
	["document", "Versions as documents describe them"],
];

/** GalleryPane lists schemas. Their examples open as packets, and their texts in the schema editor. */
export class GalleryPane {
	readonly element = h("div", { class: "tool-body gallery" });

	constructor(
		private readonly store: Store,
		private readonly edit: (schema: string) => void,
	) {}

	/** show asks for the schemas once. */
	async show(): Promise<void> {
		if (this.element.childElementCount > 0) return;
		const list = await this.store.load(() => this.store.backend.call("schemas", {}));
		if (!list) return;
		this.element.replaceChildren(
			...groups.flatMap(([sort, title]) => [h("h3", {}, title), ...list.schemas.filter((s) => s.sort === sort).map((s) => this.schema(s))]),
		);
	}

	private schema(s: SchemaInfo): HTMLElement {
		const body = h("div");
		const details = h("details", {}, h("summary", {}, h("strong", {}, s.id), " ", s.title), body);
		details.addEventListener("toggle", () => {
			if (details.open && body.childElementCount === 0) void this.fill(s, body);
		});
		return details;
	}

	private async fill(s: SchemaInfo, body: HTMLElement): Promise<void> {
		const list = await this.store.load(() => this.store.backend.call("examples", { schema: s.id }));
		if (!list) return;
		body.replaceChildren(
			h("p", {}, s.about),
			button("Edit the schema", () => this.edit(s.id)),
			h("ul", {}, ...list.examples.map((e) => this.example(s.id, e))),
		);
	}

	private example(schema: string, e: Example): HTMLElement {
		const data = fromBase64(e.data);
		const start = [...data.subarray(0, 12)].map((b) => hex(b, 2)).join(" ") + (data.length > 12 ? " …" : "");
		const refused = e.refused === "" ? null : h("span", { class: "hint" }, `refused: ${e.refused}`);
		return h("li", {}, button(e.name, () => void this.store.open(e.name, data, schema), { class: "link" }), " ", h("code", {}, start), ` ${data.length} bytes`, refused);
	}
}
