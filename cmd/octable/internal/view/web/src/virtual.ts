// A list of any length, of which only the visible lines are elements.

import { h } from "./dom";

/**
 * maxHeight is less than what browsers limit the height of elements to, and exact in their floating-point coordinates. The middle of a longer
 * list moves faster than the thumb of its scrollbar; wheels and fingers move all lists as far as they ask for.
 */
const maxHeight = 16_000_000;

/** endHeight is the height of the two ends of a longer list that the scrollbar moves as far as it moves itself. */
const endHeight = 4_000_000;

/** jump is the distance from which a scroll is one of the scrollbar. */
const jump = 10_000;

/** spareLines is how many lines are drawn above and below the visible ones, since the browser scrolls before the page can draw. */
const spareLines = 32;

/** stepLines is how many of them may be missing, and how many are drawn at once. */
const stepLines = 4;

/** aheadTime is the time between two steps in milliseconds while nobody scrolls. */
const aheadTime = 16;

/** restTime is how long nothing may change, in milliseconds, until the list is tidied up. */
const restTime = 120;

/** Line is an element that shows one line of a list, and later another one. */
export interface Line {
	readonly element: HTMLElement;
	show(index: number): void;
}

let lastId = 0;

/** freshId returns an id that no element has. */
export const freshId = (): string => "line-" + ++lastId;

/**
 * VirtualList shows lines of one height. make makes an element for lines. Elements of lines that leave the view are used again for those that enter it.
 * Lines are drawn in the events of scrolling and not in frames of an animation: the browser need not wait for them, as there are spare lines.
 */
export class VirtualList {
	readonly element: HTMLElement;
	private readonly sizer = h("div", { class: "sizer", role: "presentation" });
	private readonly lines = h("div", { class: "lines", role: "presentation" });
	private readonly shown = new Map<number, Line>(); // of the lines from first to end, and others that may be used again
	private first = 0;
	private end = 0;
	private total = 0;
	private height = 0; // of the visible part
	private scrollTop = 0;
	private offset = 0; // from the position of the scrollbar to that in the list
	private placed = 0; // offset for which the lines are placed
	private pending = false;
	private ahead = 0; // timer of the next step
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
		this.place(this.scrollTop + this.offset);
		const height = Math.min(n * this.lineHeight, maxHeight) + "px";
		if (this.sizer.style.height !== height) this.sizer.style.height = height;
		this.refresh();
	}

	/** refresh shows the lines again, after the event that is handled. */
	refresh(): void {
		this.stale = true;
		if (this.pending) return;
		this.pending = true;
		queueMicrotask(() => {
			this.pending = false;
			this.draw(0);
		});
	}

	private scrolled(): void {
		const before = this.scrollTop;
		this.scrollTop = this.element.scrollTop;
		if (Math.abs(this.scrollTop - before) >= jump) this.place(this.listTop(this.scrollTop));
		if (!this.visible(this.wanted)) this.wanted = -1;
		this.draw(Math.sign(this.scrollTop - before));
	}

	private resized(): void {
		this.height = this.element.clientHeight;
		this.scrollTop = this.element.scrollTop;
		if (this.wanted >= 0) this.scrollTo(this.wanted);
		this.draw(0);
	}

	private visible(index: number): boolean {
		const top = this.top();
		return index >= top && index < top + Math.max(1, this.pageLines - 1);
	}

	/** scrollTo makes a line visible. It stays so if the list gets smaller. */
	scrollTo(index: number): void {
		this.wanted = index;
		this.scrollTop = this.element.scrollTop; // a list that got shorter is scrolled without an event at first
		if (this.height === 0 || this.visible(index)) return;
		const target = Math.max(0, index - Math.floor(this.pageLines / 3)) * this.lineHeight;
		this.element.scrollTop = this.barTop(target);
		this.scrollTop = this.element.scrollTop;
		this.place(target);
		this.draw(0);
	}

	/** hidden is by how much the list is higher than its element. */
	private get hidden(): number {
		return Math.max(0, this.total * this.lineHeight - maxHeight);
	}

	/** listTop returns the position in the list of a position of the scrollbar, and barTop the opposite. */
	private listTop(bar: number): number {
		const middle = maxHeight - this.height - 2 * endHeight;
		return bar + this.hidden * Math.min(1, Math.max(0, (bar - endHeight) / middle));
	}
	private barTop(list: number): number {
		const middle = maxHeight - this.height - 2 * endHeight;
		return list - this.hidden * Math.min(1, Math.max(0, (list - endHeight) / (middle + this.hidden)));
	}

	/** place moves the list to a position, with the scrollbar where it is. */
	private place(list: number): void {
		const most = Math.max(0, this.total * this.lineHeight - this.height);
		this.offset = this.hidden === 0 ? 0 : Math.min(Math.max(0, list), most) - this.scrollTop;
	}

	private top(): number {
		return Math.floor((this.scrollTop + this.offset) / this.lineHeight);
	}

	/** draw shows the lines that are visible and some of the spare ones, first those in the direction of a scroll. It neither reads the layout nor moves lines that stay. */
	private draw(direction: number): void {
		if (this.height === 0) return;
		const from = Math.max(0, Math.min(this.top(), this.total));
		const to = Math.min(this.total, from + this.pageLines + 2);
		const apart = from > this.end || to < this.first;
		const moved = this.offset !== this.placed;
		let first = apart ? from : Math.min(from, this.first);
		let end = apart ? to : Math.max(to, Math.min(this.end, this.total));
		const below = end < this.total && end - to <= spareLines - stepLines;
		const above = first > 0 && from - first <= spareLines - stepLines;
		if (!this.stale && !moved && first === this.first && end === this.end && !below && !above) return;
		if (below && !(above && direction < 0)) end = Math.min(this.total, to + spareLines, end + 4 * stepLines);
		else if (above) first = Math.max(0, from - spareLines, first - 4 * stepLines);
		this.first = Math.max(first, from - spareLines);
		this.end = Math.min(end, to + spareLines);
		this.fill(this.stale || moved);
		this.placed = this.offset;
		const current = this.stale && this.element.getAttribute("aria-activedescendant");
		if (current && !document.getElementById(current)) this.element.removeAttribute("aria-activedescendant");
		this.stale = false;
		clearTimeout(this.ahead);
		if (below || above) this.ahead = window.setTimeout(() => this.draw(direction), aheadTime);
		clearTimeout(this.resting);
		this.resting = window.setTimeout(() => this.rest(), restTime);
	}

	/**
	 * fill shows the lines from first to end. Elements of the farthest other lines are used for those that are missing; anew shows those again that are there.
	 * An element gets its place outside of the document, in which browsers take a change of its style for an animation that frames have to wait for.
	 */
	private fill(anew: boolean): void {
		const spare = [...this.shown].filter(([i]) => i < this.first || i >= this.end).sort(([a], [b]) => this.distance(a) - this.distance(b));
		const above: HTMLElement[] = [];
		const below: HTMLElement[] = [];
		let into = above;
		for (let i = this.first; i < this.end; i++) {
			const have = this.shown.get(i);
			if (have) into = below;
			if (have && !anew) continue;
			const [other, old] = (!have && spare.pop()) || [-1];
			if (old) this.drop([[other, old]]);
			const line = have ?? old ?? this.make();
			line.show(i);
			if (!have || this.offset !== this.placed) line.element.style.top = `${i * this.lineHeight - this.offset}px`;
			if (have) continue;
			this.shown.set(i, line);
			into.push(line.element);
		}
		if (anew || into === above) this.drop(spare);
		this.lines.prepend(...above);
		this.lines.append(...below);
	}

	/** distance returns how far a line is from those that are shown. */
	private distance(line: number): number {
		return Math.max(this.first - line, line - this.end);
	}

	private drop(lines: [number, Line][]): void {
		for (const [i, line] of lines) {
			this.shown.delete(i);
			line.element.remove();
		}
	}

	/** rest removes lines that are far away, puts the scrollbar to its place, and tells screen readers the current line. */
	private rest(): void {
		this.drop([...this.shown].filter(([i]) => i < this.first || i >= this.end));
		const current = this.lines.querySelector(".here")?.id;
		if (current) this.element.setAttribute("aria-activedescendant", current);
		else this.element.removeAttribute("aria-activedescendant");
		const list = this.scrollTop + this.offset;
		if (Math.abs(this.barTop(list) - this.scrollTop) <= this.height) return;
		this.element.scrollTop = this.barTop(list);
		this.scrollTop = this.element.scrollTop;
		this.place(list);
		this.draw(0);
	}
}
