// Package view is the inspector, a page that shows a packet. The bytes, their values, the rows of the schema and the
// document are beside each other.
//
// # Two back ends
//
// The page is a front end over one interface, [Service.Call]: a method, parameters and a result in JSON.
// messages.go has all messages. Two back ends use it:
//
//   - [Server] serves the page and answers HTTP requests at api/METHOD on the loopback interface. It passes calls on to
//     a separate process.
//   - The program in the folder wasm is the same Service compiled to WebAssembly. The page runs it in a
//     worker; then the page is a folder of static files, which [Build] writes.
//
// A [Service] holds the packets of one page. A packet does not change; an edit makes a new one with another
// number, so undo is a return to the number before. The oldest packets are forgotten when they are too many;
// a call about one of them fails with the code gone, and the page opens the bytes again.
//
// # Bytes, nodes, leaves
//
// Reading is observed (package interp), and nodes.go keeps one node for each value, row and padding, in the
// order of the run. Leaves are the nodes that have bytes. leaves.go makes each byte belong to exactly
// one of them: bytes that no row read become nodes as well. Long lists cost nothing until they are looked at: the
// page asks for the parts of a node by range. An array of numbers is one leaf, whose elements are parts with no node.
//
// # Limits
//
// Packets, schemas and links are hostile. A packet has at most MaxPacket bytes and MaxNodes nodes; a call
// stops when its context ends. A call that takes too long anyway is ended with all packets: the page ends its worker, and
// the server its process, a second one of the same program that runs [Work]. Then the page makes the packets again that it shows (keeper.ts).
// All text reaches the page as JSON and is set as text: no message holds markup. Its content security policy
// forbids inline scripts, and connections to other hosts.
//
// The server has three guards against other pages and programs: the address contains a random token without which
// every path is not found; Host must be the address that it listens on, against DNS rebinding; and requests
// with an Origin must have its own.
//
// # The front end
//
// web/src is TypeScript without a framework. The folder bundle has a program, in a separate module, that
// bundles it with esbuild into web/dist, which is committed and embedded; `go generate` runs it, and a step of
// .ci/run checks that the result is current. Modules, each of which imports only those above it:
//
//	messages.ts   types of all messages, made of messages.go by TestMessages -update
//	backend.ts    interface Backend, and its two implementations: HTTP and worker
//	worker.ts     the worker: loads the WebAssembly file, answers calls
//	keeper.ts     makes packets again after the worker was ended
//	link.ts       links that hold a packet and a schema
//	dom.ts        makes elements; text is always set as text
//	secret.ts     asks for the password of an encrypted file
//	virtual.ts    a list of which only the visible lines are elements
//	store.ts      the state of the page: packet, selection, history; panes subscribe to it
//	bytes.ts      the pane of bytes, and typing into it
//	tree.ts       the pane of values
//	schema.ts     the pane of the schema
//	document.ts   the pane of the document
//	value.ts      the strip that edits a value, and inserts and removes elements
//	gallery.ts, versions.ts, compare.ts, editor.ts, assembly.ts, stepper.ts    the tools below the panes
//	main.ts       puts it together
//
// The folder browser has tests that drive Chromium with both back ends, in a separate module: run
//
//	go test -C cmd/octable/internal/view/browser -shots DIR
//
// A pane gets the store and an element, and calls store.select for what the user selects; it changes its own
// selection only when the store says so.
package view
