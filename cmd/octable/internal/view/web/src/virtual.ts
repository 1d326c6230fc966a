// A list of any length, of which only the visible lines are elements.

import { h } from "./dom";

/** maxHeight is less than what browsers limit the height of elements to, and exact in their floating-point coordinates. Longer lists scroll faster than lines are high. */
const maxHeight = 16_000_000;

/** spareLines is how many lines are kept above and below the visible ones, since the browser scrolls before the page can draw. */
const spareLines = 10;

/** restTime is how long nothing may change, in milliseconds, until the elements are put into the order of their lines. */
const restTime = 120;

/** Line is an element that shows one line of a list, and later another one. */
export interface Line {
	readonly element: HTMLElement;
	show(index: number): void;
}

let lastId = 0;

/** freshId returns an id that no element has. */
export const freshId = (): string => "line-" + ++lastId;

/** VirtualList shows lines of one height. make makes an element for lines. Elements of lines that leave the view are used again for those that enter it. */
export class VirtualList {
	readonly element: HTMLElement;
	private readonly sizer = h("div", { class: "sizer", role: "presentation" });
	private readonly lines = h("div", { class: "lines", role: "presentation" });
	private readonly shown = new Map<number, Line>();
	private spare: Line[] = [];
	private total = 0;
	private height = 0; // of the visible part
	private scrollTop = 0;
	private shift = 0; // from the place of a line in a list of full height to its place
	private pending = 0;
	private resting = 0;
	private stale = true; // all lines are to be shown again
	private wanted = -1; // the line that was made visible, until the user scrolls it away

	constructor(
		private readonly lineHeight: number,
		private readonly make: () => Line,
		attributes: Record<string, string> = {},
	) {
		this.element = h("div", { tabindex: "0", ...attributes, class: "virtual " + (attributes["class"] ?? "") }, this.sizer, this.lines);
		this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
		new ResizeObserver(() => this.resized()).observe(this.element);
	}

	/** pageLines is how many lines are visible at once. */
	get pageLines(): number {
		return Math.max(1, Math.floor(this.height / this.lineHeight));
	}

	/** setTotal sets the number of lines. */
	setTotal(n: number): void {
		this.total = n;
		this.sizer.style.height = Math.min(n * this.lineHeight, maxHeight) + "px";
		this.refresh();
	}

	/** refresh shows the visible lines again. */
	refresh(): void {
		this.stale = true;
		this.later();
	}

	private scrolled(): void {
		this.scrollTop = this.element.scrollTop;
		if (!this.visible(this.wanted)) this.wanted = -1;
		this.later();
	}

	private resized(): void {
		this.height = this.element.clientHeight;
		this.scrollTop = this.element.scrollTop;
		if (this.wanted >= 0) this.scrollTo(this.wanted);
		this.later();
	}

	private visible(index: number): boolean {
		const top = this.top();
		return index >= top && index < top + Math.max(1, this.pageLines - 1);
	}

	/** scrollTo makes a line visible. It stays so if the list gets smaller. */
	scrollTo(index: number): void {
		this.wanted = index;
		this.scrollTop = this.element.scrollTop; // a list that got shorter is scrolled without an event at first
		if (this.visible(index)) return;
		const target = Math.max(0, index - Math.floor(this.pageLines / 3));
		this.element.scrollTop = target * this.lineHeight * this.scale();
		this.scrollTop = this.element.scrollTop;
		this.later();
	}

	private scale(): number {
		const full = this.total * this.lineHeight - this.height;
		return full > 0 && this.total * this.lineHeight > maxHeight ? (maxHeight - this.height) / full : 1;
	}

	private top(): number {
		return Math.floor(this.scrollTop / this.scale() / this.lineHeight);
	}

	private later(): void {
		if (this.pending) return;
		this.pending = requestAnimationFrame(() => {
			this.pending = 0;
			this.draw();
		});
	}

	/** draw shows the lines that are visible. It neither reads the layout nor moves lines that stay. */
	private draw(): void {
		if (this.height === 0) return;
		const top = this.top();
		const first = Math.max(0, Math.min(top - spareLines, this.total - 1));
		const end = Math.min(this.total, top + this.pageLines + 1 + spareLines);
		const shift = this.scale() === 1 ? 0 : this.scrollTop - top * this.lineHeight;
		for (const [i, l] of this.shown) {
			if (i >= first && i < end) continue;
			this.shown.delete(i);
			this.spare.push(l);
		}
		for (let i = first; i < end; i++) {
			const have = this.shown.get(i);
			const line = have ?? this.spare.pop() ?? this.make();
			if (!have || this.stale) line.show(i);
			if (!have || shift !== this.shift) line.element.style.transform = `translateY(${i * this.lineHeight + shift}px)`;
			if (have) continue;
			this.shown.set(i, line);
			if (!line.element.isConnected) this.lines.append(line.element);
		}
		for (const l of this.spare) l.element.remove();
		this.shift = shift;
		const current = this.stale && this.element.getAttribute("aria-activedescendant");
		if (current && !document.getElementById(current)) this.element.removeAttribute("aria-activedescendant");
		this.stale = false;
		clearTimeout(this.resting);
		this.resting = window.setTimeout(() => this.rest(), restTime);
	}

	/** rest puts the elements into the order of their lines, and tells screen readers the current one. */
	private rest(): void {
		const order = [...this.shown].sort((a, b) => a[0] - b[0]).map(([, line]) => line.element);
		if (order.some((e, i) => e !== this.lines.children[i])) this.lines.replaceChildren(...order);
		const current = this.lines.querySelector(".here")?.id;
		if (current) this.element.setAttribute("aria-activedescendant", current);
		else this.element.removeAttribute("aria-activedescendant");
	}
}
