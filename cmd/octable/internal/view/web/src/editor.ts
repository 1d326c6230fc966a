// The schema editor: the text, its mistakes, completion, and an explanation of the word at the cursor.

import { button, h } from "./dom";
import type { Compiled, Completion, Diagnostic, TextFile } from "./messages";
import { highlighted } from "./schema";
import { plain, type Store } from "./store";

const delay = 250;

/** Origin is the text that editing began with, and its schema if octable has it. */
interface Origin {
	schema: string;
	text: string;
}

/** SharedText is a text with the schemas that it may extend, besides those of octable. */
export interface SharedText {
	text: string;
	beside: TextFile[];
}

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
	private origin: Origin = { schema: "", text: "" };
	private readonly compiled = new Map<string, SharedText>(); // by handle
	private readonly named = h("span", { class: "title" });
	private readonly restart = button("Start again", () => this.begin(this.origin.text, this.origin), { title: "Undo all changes of the text" });

	constructor(private readonly store: Store) {
		const bar = h("div", { class: "strip" }, this.named, button("Format", () => void this.format()), button("Complete", () => void this.complete()), this.restart);
		this.element = h("div", { class: "tool-body editor" }, bar, h("div", { class: "layers" }, this.back, this.area, this.words), this.hint, this.problems);
		this.area.addEventListener("mousemove", (e) => this.point(e));
		this.area.addEventListener("input", () => this.changed());
		this.area.addEventListener("scroll", () => this.align());
		this.area.addEventListener("keydown", (e) => this.key(e));
		this.area.addEventListener("keyup", () => this.rest());
		this.area.addEventListener("click", () => this.rest());
	}

	/** sharedText returns the text of a schema that was edited. */
	sharedText(schema: string): SharedText {
		return this.compiled.get(schema) ?? { text: this.area.value, beside: this.others };
	}

	/** follows reports whether the editor has no text, or that of a schema without changes. */
	get follows(): boolean {
		return this.area.value === "" || (this.origin.schema !== "" && this.area.value === this.origin.text);
	}

	/** edits returns the schema of which the editor has the text. */
	get edits(): string {
		return this.origin.schema;
	}

	/** beginSchema edits the text of a schema of octable. The packet is read by it when the text is changed. */
	beginSchema(schema: string, text: string): void {
		this.others = [];
		this.begin(text, { schema, text });
	}

	/** beginText edits another text. */
	beginText(text: string, beside: TextFile[]): void {
		this.others = beside;
		this.begin(text, { schema: "", text });
	}

	private begin(text: string, origin = this.origin): void {
		this.origin = origin;
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
		this.turn++; // what is being compiled is another text
		const same = this.area.value === this.origin.text;
		this.named.textContent = (this.origin.schema || "edited schema") + (same ? "" : ", changed");
		this.restart.disabled = same;
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
		this.compiled.set(c.schema, { text, beside: this.others });
		const original = this.origin.schema !== "" && text === this.origin.text;
		const schema = original ? this.origin.schema : c.schema;
		const now = this.store.packet?.schema;
		if (now !== this.of || now === schema || (original && !this.compiled.has(now))) return;
		const options = this.store.packet?.options ?? plain;
		await this.store.replace((packet) => this.store.backend.call("reread", { packet, schema, options }));
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

	/** point explains the word at the pointer. Lines have one height, and characters one width. */
	private point(e: MouseEvent): void {
		const style = getComputedStyle(this.area);
		const pen = document.createElement("canvas").getContext("2d");
		if (!pen) return;
		pen.font = style.font;
		const line = Math.floor((e.offsetY + this.area.scrollTop - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight));
		const x = e.offsetX + this.area.scrollLeft - parseFloat(style.paddingLeft);
		const row = this.area.value.split("\n")[line] ?? "";
		const tab = 4 * pen.measureText(" ").width;
		let character = 0;
		for (let at = 0; character < row.length; character++) {
			at = row[character] === "\t" ? (Math.floor(at / tab) + 1) * tab : at + pen.measureText(row[character] ?? "").width;
			if (at > x) break;
		}
		if (character < row.length) this.rest({ text: this.area.value, beside: this.others, line, character });
	}

	/** rest explains the word at a place, by default that of the cursor, if nothing moves for a while. */
	private rest(place = this.cursor()): void {
		clearTimeout(this.resting);
		this.resting = window.setTimeout(() => {
			this.store.backend.call("hover", place).then(
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
		e.stopPropagation();
		e.preventDefault();
	}

	private async format(): Promise<void> {
		const f = await this.store.attempt(() => this.store.backend.call("format", { text: this.area.value }));
		if (f) this.begin(f.text);
	}
}
