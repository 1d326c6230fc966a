// Stepping through the run that reads or writes the packet.

import { button, h, hex } from "./dom";
import type { Moment, Setting } from "./messages";
import type { Store } from "./store";

const moves: [string, string][] = [
	["begin", "Begin"],
	["back", "◀ Back"],
	["step", "Step ▶"],
	["previous", "Previous row"],
	["next", "Next row"],
	["over", "Over"],
	["out", "Out"],
	["error", "Error"],
	["end", "End"],
];

/** StepPane shows the state of a run. */
export class StepPane {
	readonly element: HTMLElement;
	private readonly state = h("div", { "aria-live": "polite" });
	private readonly writing = h("input", { type: "checkbox" });
	private readonly before = button("Previous value", () => this.enter(-1));
	private readonly after = button("Next value", () => this.enter(1));
	private at = 0;
	private value = 0; // of a stream

	constructor(private readonly store: Store) {
		const bar = h("div", { class: "strip" }, ...moves.map(([move, text]) => button(text, () => void this.go(move, ""))));
		bar.append(
			button("To the selection", () => void this.go("byte", String(this.store.selection?.span.from ?? 0))),
			this.before,
			this.after,
			h("label", {}, this.writing, " write the value"),
		);
		this.writing.addEventListener("change", () => void this.go("begin", ""));
		this.element = h("div", { class: "tool-body" }, bar, this.state);
		store.on("packet", () => {
			this.at = 0;
			this.value = 0;
			this.state.replaceChildren();
		});
	}

	/** enter goes to the beginning of another value of a stream. */
	private enter(by: number): void {
		this.value += by;
		void this.go("begin", "");
	}

	/** go moves to a step. */
	async go(move: string, target: string): Promise<void> {
		const packet = this.store.packet;
		if (!packet) return;
		const encode = this.writing.checked;
		const m = await this.store.attempt(() => this.store.backend.call("step", { packet: packet.packet, value: this.value, encode, at: this.at, move, target }));
		if (!m || packet !== this.store.packet) return;
		this.at = m.step;
		this.value = m.value;
		this.before.hidden = this.after.hidden = m.values === 1;
		this.before.disabled = m.value === 0;
		this.after.disabled = m.value === m.values - 1;
		this.show(m);
		if (m.last && !encode) await this.store.selectSpan(m.last);
	}

	private show(m: Moment): void {
		const line = (name: string, text: string): HTMLElement | null => (text === "" ? null : h("div", { class: "state" }, h("dt", {}, name), h("dd", {}, text)));
		const list = (all: Setting[]): string => all.map((s) => `${s.name} = ${s.text}`).join(", ");
		const lines = [
			line("value", m.values === 1 ? "" : `${m.value + 1} of ${m.values}`),
			line("step", `${m.step} of ${m.steps}${m.more ? " recorded" : ""}, byte ${hex(m.cursor, 1)}${m.path ? ", at " + m.path : ""}`),
			line(this.writing.checked ? "wrote" : "read", m.last ? `${hex(m.last.from, 6)}  ${m.digits}  ${m.lastText}` : ""),
			line("next", m.pc < 0 ? "" : `${m.pc}  ${m.next}`),
			line("row", m.rule === "" ? "" : `${m.rule}${m.row ? `, ${m.row.file}:${m.row.line}` : ""}`),
			line("registers", list(m.registers)),
			line("record", m.record === "" && m.fields.length === 0 ? "" : `${m.record} { ${list(m.fields)} }`),
			line("inside", m.frames.join(" › ")),
			line("result", m.result),
			line("error", m.error?.message ?? ""),
		];
		this.state.replaceChildren(h("dl", {}, ...lines));
	}
}
