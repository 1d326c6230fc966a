// The schema editor: the text, its mistakes, completion, and an explanation of the word at the cursor.

import { button, h } from "./dom";
import type { Compiled, Completion, Diagnostic, TextFile } from "./messages";
import { highlighted } from "./schema";
import { plain, type Store } from "./store";

const delay = 250;

/** SchemaEditor compiles a text while it is written and reads the packet by it. */
export class SchemaEditor {
	readonly element: HTMLElement;
	private readonly area = h("textarea", { class: "source", spellcheck: "false", wrap: "off", "aria-label": "Text of the schema", autocapitalize: "off", autocomplete: "off" });
	private readonly back = h("pre", { class: "source", "aria-hidden": "true" });
	private readonly problems = h("ul", { class: "problems", "aria-label": "Mistakes", "aria-live": "polite" });
	private readonly hint = h("div", { class: "explained", role: "status" });
	private readonly words = h("ul", { class: "words", role: "listbox", "aria-label": "Completions", hidden: "" });
	private items: Completion[] = [];
	private others: TextFile[] = [];
	private chosen = 0;
	private timer = 0;
	private resting = 0;
	private turn = 0;
	private of = ""; // the schema of the packet when the text was changed

	constructor(private readonly store: Store) {
		const bar = h("div", { class: "strip" }, button("Format", () => void this.format()), button("Complete", () => void this.complete()));
		this.element = h("div", { class: "tool-body editor" }, bar, h("div", { class: "layers" }, this.back, this.area, this.words), this.hint, this.problems);
		this.area.addEventListener("input", () => this.changed());
		this.area.addEventListener("scroll", () => this.align());
		this.area.addEventListener("keydown", (e) => this.key(e));
		this.area.addEventListener("keyup", () => this.rest());
		this.area.addEventListener("click", () => this.rest());
	}

	/** text is the text of the schema, "" if the editor was not used. */
	get text(): string {
		return this.area.value;
	}

	/** beside are the schemas that the text may extend, besides those of octable. */
	get beside(): TextFile[] {
		return this.others;
	}

	/** begin edits a text. */
	begin(text: string, beside = this.others): void {
		this.others = beside;
		this.area.value = text;
		this.changed();
	}

	private align(): void {
		this.back.scrollTop = this.area.scrollTop;
		this.back.scrollLeft = this.area.scrollLeft;
	}

	private changed(): void {
		this.words.hidden = true;
		this.back.replaceChildren(this.area.value + "\n");
		this.of = this.store.packet?.schema ?? "";
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.compile(), delay);
	}

	private async compile(): Promise<void> {
		const turn = ++this.turn;
		const text = this.area.value;
		const c = await this.store.load(() => this.store.backend.call("compile", { text, beside: this.others }));
		if (!c || turn !== this.turn) return;
		this.paint(text, c);
		this.problems.replaceChildren(...c.diagnostics.map((d) => this.problem(d)));
		if (c.schema === "") return;
		const options = this.store.packet?.options ?? plain;
		if (this.store.packet?.schema === this.of) await this.store.replace((packet) => this.store.backend.call("reread", { packet, schema: c.schema, options }));
	}

	private paint(text: string, c: Compiled): void {
		const lines = text.split("\n");
		const marks = new Map<number, Compiled["marks"]>();
		for (const m of c.marks) marks.set(m.line, [...(marks.get(m.line) ?? []), m]);
		const wrong = new Set(c.diagnostics.map((d) => d.line));
		this.back.replaceChildren(
			...lines.map((l, i) => {
				const line = h("span", wrong.has(i) ? { class: "wrong" } : {}, h("span", { class: "source" }, ...highlighted(l, marks.get(i) ?? [])), "\n");
				return line;
			}),
		);
		this.align();
	}

	private problem(d: Diagnostic): HTMLElement {
		const place = button(`line ${d.line + 1}: ${d.message}`, () => this.go(d.line, d.from, d.to), { class: "fault" });
		const fix = d.fixTitle === "" ? null : button(d.fixTitle, () => this.begin(d.fixedText));
		return h("li", {}, place, fix);
	}

	/** go selects a part of a line. */
	private go(line: number, from: number, to: number): void {
		const start = this.offset(line);
		this.area.focus();
		this.area.setSelectionRange(start + from, start + Math.max(to, from));
	}

	private offset(line: number): number {
		let at = 0;
		for (let i = 0; i < line; i++) at = this.area.value.indexOf("\n", at) + 1;
		return at;
	}

	private cursor(): { text: string; beside: TextFile[]; line: number; character: number } {
		const before = this.area.value.slice(0, this.area.selectionStart);
		return { text: this.area.value, beside: this.others, line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 };
	}

	private rest(): void {
		clearTimeout(this.resting);
		this.resting = window.setTimeout(() => {
			this.store.backend.call("hover", this.cursor()).then(
				(about) => (this.hint.textContent = about.text.replaceAll(/[*`]/g, "")),
				() => {},
			);
		}, delay);
	}

	private async complete(): Promise<void> {
		const c = await this.store.attempt(() => this.store.backend.call("complete", this.cursor()));
		this.items = c?.items.slice(0, 50) ?? [];
		this.chosen = 0;
		this.area.focus();
		this.offer();
	}

	private offer(): void {
		this.words.hidden = this.items.length === 0;
		this.words.replaceChildren(
			...this.items.map((item, i) => {
				const e = h("li", { role: "option", "aria-selected": String(i === this.chosen) }, h("strong", {}, item.label), " ", h("span", {}, item.detail));
				e.addEventListener("mousedown", (event) => {
					event.preventDefault();
					this.chosen = i;
					this.accept();
				});
				return e;
			}),
		);
		this.words.children[this.chosen]?.scrollIntoView({ block: "nearest" });
	}

	private accept(): void {
		const item = this.items[this.chosen];
		if (!item) return;
		const start = this.offset(this.cursor().line);
		this.area.setRangeText(item.label, start + item.from, start + item.to, "end");
		this.changed();
	}

	private key(e: KeyboardEvent): void {
		if (e.key === " " && e.ctrlKey) {
			e.preventDefault();
			void this.complete();
			return;
		}
		if (this.words.hidden) return;
		const move = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
		if (move !== 0) {
			this.chosen = (this.chosen + move + this.items.length) % this.items.length;
			this.offer();
		} else if (e.key === "Enter" || e.key === "Tab") this.accept();
		else if (e.key === "Escape") this.words.hidden = true;
		else return;
		e.preventDefault();
	}

	private async format(): Promise<void> {
		const f = await this.store.attempt(() => this.store.backend.call("format", { text: this.area.value }));
		if (f) this.begin(f.text);
	}
}
