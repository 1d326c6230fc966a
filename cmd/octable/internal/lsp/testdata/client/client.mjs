// An editor's side of a conversation: starts the command given, opens the files given, and prints what it
// is told, as JSON. The folder of packages is in OCTABLE_LSP_CLIENT.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.OCTABLE_LSP_CLIENT, "package.json"));
const lsp = require("vscode-languageserver-protocol/node");

const [command, file] = process.argv.slice(2);
const server = spawn(command, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((done) => server.on("exit", done));
const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const published = [];
let wake = () => {};
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => { published.push(p); wake(); });
connection.onError((e) => { console.error(e); process.exit(1); });
connection.listen();

const diagnostics = async (version) => {
  for (;;) {
    const p = published.find((p) => p.version === version);
    if (p) return p.diagnostics.map((d) => ({ line: d.range.start.line, code: d.code, severity: d.severity }));
    await new Promise((done) => { wake = done; });
  }
};

const text = readFileSync(file, "utf8");
const uri = pathToFileURL(file).href;
const textDocument = { uri };
const before = text.slice(0, text.indexOf("string | name")).split("\n");
const position = { line: before.length - 1, character: before.at(-1).length };
const result = {};

const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
result.capabilities = Object.keys(capabilities).sort();
await connection.sendNotification(lsp.InitializedNotification.type, {});
await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "octable", version: 1, text } });
result.right = await diagnostics(1);
result.hover = (await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position })).contents.value.split("\n")[0].trim();
result.definition = (await connection.sendRequest(lsp.DefinitionRequest.type, { textDocument, position })).range.start.line;
const edit = await connection.sendRequest(lsp.RenameRequest.type, { textDocument, position, newName: "Text" });
result.rename = Object.fromEntries(Object.entries(edit.changes).map(([u, edits]) => [basename(u), edits.length]));
result.completion = (await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position })).map((i) => i.label).filter((l) => /^[A-Z]|^str/.test(l));
result.symbols = (await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument })).map((s) => s.name);
result.formatting = await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 4, insertSpaces: true } });
const all = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };
result.hints = (await connection.sendRequest(lsp.InlayHintRequest.type, { textDocument, range: all })).map((h) => h.label);
result.tokens = (await connection.sendRequest(lsp.SemanticTokensRequest.type, { textDocument })).data.length % 5;
result.folds = (await connection.sendRequest(lsp.FoldingRangeRequest.type, { textDocument })).length;
result.found = (await connection.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: "pnt" })).map((s) => s.name);
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: 2 }, contentChanges: [{ range: { start: position, end: { ...position, character: position.character + 6 } }, text: "strong" }],
});
result.wrong = await diagnostics(2);
const here = { start: position, end: position };
const actions = await connection.sendRequest(lsp.CodeActionRequest.type, { textDocument, range: here, context: { diagnostics: [] } });
result.fix = actions.map((a) => `${a.title}: ${Object.values(a.edit.changes)[0].map((e) => e.newText)}`);
await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
result.exit = await ended;
console.log(JSON.stringify(result, null, 1));
