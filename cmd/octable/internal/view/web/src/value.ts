// The strip below the tree that edits the selected value.

import { button, h } from "./dom";
import type { Item } from "./messages";
import type { Store } from "./store";

/** ValueEditor edits the value of the selection, and inserts and removes elements. */
export class ValueEditor {
	readonly element: HTMLElement;
	private readonly input = h("textarea", { rows: "1", "aria-label": "Value", spellcheck: "false" });
	private readonly key = h("input", { "aria-label": "Key of a new pair", placeholder: "key", spellcheck: "false" });
	private readonly set = button("Set", () => void this.apply());
	private readonly insert = button("Insert before", () => void this.add(false));
	private readonly append = button("Insert after", () => void this.add(true));
	private readonly delete = button("Remove", () => void this.remove());
	private item: Item | null = null;

	/** leave is called when a value was edited by the keyboard. */
	constructor(
		private readonly store: Store,
		private readonly leave: () => void,
	) {
		this.element = h("form", { class: "strip", "aria-label": "Edit the value" }, this.input, this.set, this.key, this.insert, this.append, this.delete);
		this.element.addEventListener("submit", (e) => e.preventDefault());
		this.input.addEventListener("keydown", (e) => {
			if (e.key === "Enter" && !e.shiftKey) {
				e.preventDefault();
				void this.apply().then((done) => {
					if (done) this.leave();
				});
			} else if (e.key === "Escape") {
				e.stopPropagation();
				this.show();
				this.leave();
			}
		});
		this.key.addEventListener("keydown", (e) => {
			if (e.key === "Enter") {
				e.preventDefault();
				void this.add(true);
			} else if (e.key === "Escape") {
				e.stopPropagation();
				this.leave();
			}
		});
		store.on("selection", () => this.show());
		this.show();
	}

	/** focus begins to edit. */
	focus(): void {
		if (this.input.disabled) return;
		this.input.focus();
		this.input.select();
	}

	private show(): void {
		const steps = this.store.selection?.way.steps ?? [];
		const item = steps.at(-1)?.item ?? null;
		this.item = item;
		this.input.value = item?.input ?? "";
		this.input.disabled = !item || item.edit === "";
		this.set.disabled = this.input.disabled;
		const list = item !== null && (item.element || item.list);
		this.insert.disabled = !list || item.list && !item.element;
		this.append.disabled = !list;
		this.delete.disabled = !item?.element;
		this.key.hidden = !list || !item.keyed;
	}

	private async apply(): Promise<boolean> {
		const item = this.item;
		if (!item || this.input.disabled) return false;
		return this.store.edit((packet) => this.store.backend.call("set", { packet, node: item.node, part: item.part, text: this.input.value }));
	}

	private async add(after: boolean): Promise<void> {
		const item = this.item;
		if (!item) return;
		const typing = this.key === document.activeElement; // the field may be hidden after the edit
		const text = item.list && !item.element ? "" : this.input.value === item.input ? "" : this.input.value;
		const done = await this.store.edit((packet) => this.store.backend.call("insert", { packet, node: item.node, after, key: this.key.value, text }));
		if (!done) return;
		this.key.value = "";
		if (typing) this.leave();
	}

	/** insertAfter inserts an element after the selected one. A pair needs a key, which the user writes first. */
	async insertAfter(): Promise<void> {
		if (this.append.disabled) return;
		if (this.item?.keyed && this.key.value === "") this.key.focus();
		else await this.add(true);
	}

	/** remove removes the selected element. */
	async remove(): Promise<void> {
		const item = this.item;
		if (!item?.element) return;
		await this.store.edit((packet) => this.store.backend.call("remove", { packet, node: item.node, part: -1 }));
	}
}
