// The keys of the page, and a list of them.

import { button, h } from "./dom";

const all: [string, string][] = [
	["F6, Shift+F6", "next and previous pane"],
	["Tab", "next control; the schema editor is left by it, too"],
	["Arrows, Page Up, Page Down, Home, End", "move in a pane; all others follow"],
	["Ctrl+Left, Ctrl+Right", "bytes: the field before and the field after"],
	["Shift with a move", "select a range"],
	["0 to 9, a to f", "bytes: replace the byte at the cursor"],
	["Insert", "bytes: insert a zero at the cursor; values: insert an element after the selected one"],
	["Delete", "bytes: remove the selected ones; values: remove the selected element"],
	["Right, Left", "values: open and close"],
	["Enter or F2", "values: edit; Enter sets the value, Escape leaves it unchanged"],
	["Enter", "schema and document: the next bytes that the row has read"],
	["Ctrl+Space", "schema editor: complete the word"],
	["Escape", "close what is open below the panes"],
	["Ctrl+Z, Ctrl+Shift+Z, Ctrl+S", "undo, redo, save"],
];

/** KeysDialog lists the keys. */
export class KeysDialog {
	readonly element: HTMLDialogElement;

	constructor() {
		const rows = all.map(([keys, what]) => h("tr", {}, h("th", { scope: "row" }, keys), h("td", {}, what)));
		this.element = h("dialog", { "aria-labelledby": "keys-title" }, h("h2", { id: "keys-title" }, "Keys"), h("table", {}, h("tbody", {}, ...rows)), button("Close", () => this.element.close()));
	}

	/** show opens the list. */
	show(): void {
		this.element.showModal();
	}
}

/** cycle moves the focus to the next pane, or to the previous one. */
export function cycle(back: boolean): void {
	const places = [...document.querySelectorAll<HTMLElement>("#bar, .pane, #tabs, #tool")].filter((e) => e.offsetParent !== null || e.getClientRects().length > 0);
	const active = document.activeElement;
	const at = places.findIndex((p) => p.contains(active));
	const next = places[(at + (back ? -1 : 1) + places.length) % places.length];
	const inside = next?.querySelector<HTMLElement>(".virtual, .document, textarea.source, textarea.assembly") ?? next?.querySelector<HTMLElement>("button:enabled, summary, [tabindex='0']");
	inside?.focus();
}
