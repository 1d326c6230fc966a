// Calls of the codec, over HTTP or in a worker.

import type { Error as Failure, Fault, Methods } from "./messages";

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M]["params"];
export type Result<M extends Method> = Methods[M]["result"];

/** Backend answers calls. A call that fails rejects with a CallError. */
export interface Backend {
	call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
}

/** CallError is an error of a call. */
export class CallError extends Error {
	readonly code: string;
	readonly fault: Fault | null;
	constructor(e: Failure) {
		super(e.message);
		this.code = e.code;
		this.fault = e.fault;
	}
}

/** callTime returns the most time of a call in seconds, which is in the head of the page. The worker is ended after it. */
const callTime = (): number => Number(document.querySelector<HTMLMetaElement>('meta[name="call-time"]')?.content ?? 20);

const late = (method: string, seconds: number): CallError =>
	new CallError({ code: "time", message: `${method} took more than ${seconds} seconds and was stopped`, fault: null });

/** HttpBackend calls the server that the page is from. */
export class HttpBackend implements Backend {
	async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
		let answer: Response;
		const limit = callTime();
		try {
			answer = await fetch("api/" + method, {
				method: "POST",
				headers: { "Content-Type": "application/json" },
				body: JSON.stringify(params),
				signal: AbortSignal.timeout(1000 * limit),
			});
		} catch (e) {
			if (e instanceof DOMException && e.name === "TimeoutError") throw late(method, limit);
			throw new CallError({ code: "internal", message: "octable view does not answer; is it still running?", fault: null });
		}
		if (answer.ok) return (await answer.json()) as Result<M>;
		if (answer.status === 422) throw new CallError((await answer.json()) as Failure);
		throw new CallError({ code: "internal", message: await answer.text(), fault: null });
	}
}

/** Question and Answer are the messages between the page and the worker. */
export interface Question {
	id: number;
	method: string;
	params: string;
}
export interface Answer {
	id: number; // -1: the worker cannot begin
	ok: boolean;
	result: string;
}

interface Waiting {
	resolve(result: string): void;
	reject(e: CallError): void;
	timer: number;
}

/** WorkerBackend calls the codec in a worker, which it ends when a call takes too long. */
export class WorkerBackend implements Backend {
	private worker: Worker | null = null;
	private waiting = new Map<number, Waiting>();
	private last = 0;

	private start(): Worker {
		const worker = new Worker("worker.js");
		worker.onmessage = (e: MessageEvent<Answer>) => this.answer(e.data);
		worker.onerror = (e) => this.end(new CallError({ code: "internal", message: "the worker has failed: " + e.message, fault: null }), 0);
		this.worker = worker;
		return worker;
	}

	private answer(a: Answer): void {
		if (a.id < 0) return this.end(new CallError(JSON.parse(a.result) as Failure), 0);
		const w = this.waiting.get(a.id);
		if (!w) return;
		clearTimeout(w.timer);
		this.waiting.delete(a.id);
		if (a.ok) w.resolve(a.result);
		else w.reject(new CallError(JSON.parse(a.result) as Failure));
	}

	/** end ends the worker; the next call starts another one. If it is ended because of one call, the others can be repeated. */
	private end(why: CallError, because: number): void {
		this.worker?.terminate();
		this.worker = null;
		const all = [...this.waiting];
		this.waiting.clear();
		for (const [id, w] of all) {
			clearTimeout(w.timer);
			w.reject(because === 0 || id === because ? why : new CallError({ code: "gone", message: "the worker was ended; open the file again", fault: null }));
		}
	}

	async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
		const worker = this.worker ?? this.start();
		const id = ++this.last;
		const result = await new Promise<string>((resolve, reject) => {
			const limit = callTime();
			const timer = window.setTimeout(() => this.end(late(method, limit), id), 1000 * limit);
			this.waiting.set(id, { resolve, reject, timer });
			const question: Question = { id, method, params: JSON.stringify(params) };
			worker.postMessage(question);
		});
		return JSON.parse(result) as Result<M>;
	}
}

/** connect returns the back end that the head of the page names. */
export function connect(): Backend {
	const name = document.querySelector<HTMLMetaElement>('meta[name="back-end"]')?.content;
	return name === "http" ? new HttpBackend() : new WorkerBackend();
}

/** toBase64 and fromBase64 convert bytes of messages. */
export function toBase64(b: Uint8Array): string {
	const parts: string[] = [];
	for (let i = 0; i < b.length; i += 0x8000) parts.push(String.fromCharCode(...b.subarray(i, i + 0x8000)));
	return btoa(parts.join(""));
}
export function fromBase64(s: string | null): Uint8Array {
	return Uint8Array.from(atob(s ?? ""), (c) => c.charCodeAt(0));
}
