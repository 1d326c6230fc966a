// The worker: the codec as WebAssembly. The program calls octableReady when it can answer.

import type { Answer, Question } from "./backend";

interface GoRuntime {
	importObject: WebAssembly.Imports;
	run(instance: WebAssembly.Instance): Promise<void>;
}

/** Scope is the global scope of the worker, as far as it is used. */
interface Scope {
	Go: new () => GoRuntime;
	importScripts(...urls: string[]): void;
	postMessage(a: Answer): void;
	onmessage: ((e: { data: Question }) => void) | null;
	octableCall?(method: string, params: string, done: (ok: boolean, result: string) => void): void;
	octableReady?(): void;
}

const scope = globalThis as unknown as Scope;

const ready = new Promise<void>((resolve, reject) => {
	scope.octableReady = resolve;
	const begin = async (): Promise<void> => {
		scope.importScripts("wasm_exec.js");
		const go = new scope.Go();
		const answer = await fetch("octable.wasm");
		if (!answer.ok) throw new Error("octable.wasm: " + answer.statusText);
		const typed = answer.headers.get("Content-Type") === "application/wasm";
		const { instance } = typed
			? await WebAssembly.instantiateStreaming(answer, go.importObject)
			: await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
		void go.run(instance).then(() => reject(new Error("the program has ended")));
	};
	begin().catch(reject);
});

ready.catch((e: unknown) =>
	scope.postMessage({ id: -1, ok: false, result: JSON.stringify({ code: "internal", message: "the codec cannot be loaded: " + String(e), fault: null }) }),
);

scope.onmessage = async ({ data }): Promise<void> => {
	await ready;
	scope.octableCall?.(data.method, data.params, (ok, result) => scope.postMessage({ id: data.id, ok, result }));
};
