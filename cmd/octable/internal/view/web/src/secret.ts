// The question for the password or the key of an encrypted file.

import { button, h } from "./dom";

/** Secret opens an encrypted file. With bare the file is shown as it is. */
export interface Secret {
	pass: string;
	key: string;
	bare: boolean;
}

/** SecretDialog asks the user. */
export class SecretDialog {
	readonly element: HTMLDialogElement;
	private readonly message = h("p", { id: "secret-message" });
	private readonly sort = h("select", { "aria-label": "Kind of secret" }, h("option", { value: "pass" }, "Password"), h("option", { value: "key" }, "Key, 64 hexadecimal digits"));
	private readonly input = h("input", { type: "password", "aria-label": "Secret", autocomplete: "off" });
	private answer: Secret | null = null;

	constructor() {
		const form = h(
			"form",
			{ method: "dialog" },
			h("h2", { id: "secret-title" }, "Encrypted file"),
			this.message,
			h("div", { class: "strip" }, this.sort, this.input),
			h("div", { class: "strip" }, h("button", { type: "submit" }, "Open"), button("Show encrypted", () => this.done({ pass: "", key: "", bare: true })), button("Cancel", () => this.done(null))),
		);
		this.element = h("dialog", { "aria-labelledby": "secret-title", "aria-describedby": "secret-message" }, form);
		form.addEventListener("submit", (e) => {
			e.preventDefault();
			const text = this.input.value;
			this.done(this.sort.value === "pass" ? { pass: text, key: "", bare: false } : { pass: "", key: text.trim(), bare: false });
		});
	}

	private done(answer: Secret | null): void {
		this.answer = answer;
		this.input.value = "";
		this.element.close();
	}

	/** ask returns the answer, or null if the user cancels. */
	ask(message: string): Promise<Secret | null> {
		this.answer = null;
		this.message.textContent = message;
		return new Promise((resolve) => {
			this.element.addEventListener("close", () => resolve(this.answer), { once: true });
			this.element.showModal();
			this.input.focus();
		});
	}
}
