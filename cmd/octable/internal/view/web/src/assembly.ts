// The text form of the packet, which can be edited.

import { button, h } from "./dom";
import type { Store } from "./store";

/** AssemblyPane shows the packet as "octable disasm" prints it, and assembles the text. */
export class AssemblyPane {
	readonly element: HTMLElement;
	private readonly area = h("textarea", { class: "assembly", spellcheck: "false", wrap: "off", "aria-label": "Text form of the packet" });

	constructor(private readonly store: Store) {
		const apply = button("Assemble", () => void store.edit((packet) => store.backend.call("assemble", { packet, text: this.area.value })));
		const note = h("span", { class: "hint" }, "Lines with = may be left out. Other lines are kept as they are written, even if they are wrong.");
		this.element = h("div", { class: "tool-body editor" }, h("div", { class: "strip" }, apply, note), this.area);
	}

	/** show disassembles the packet. */
	async show(): Promise<void> {
		const packet = this.store.packet;
		if (!packet) return;
		const e = await this.store.attempt(() => this.store.backend.call("export", { packet: packet.packet, form: "assembly" }));
		if (e && packet === this.store.packet) this.area.value = e.text;
	}
}
