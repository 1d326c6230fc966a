package main

// The longer texts of help. Shorter ones are with their flags.

const rootLong = `Octable reads, writes, shows and checks binary packets by schemas: the values
of Godot and Pandemonium in all their versions, and any format for which
somebody writes a schema.`

const rootEnd = `A flag may have one dash or two, and be before or after other arguments.

Exit status:
  0  success
  1  input rejected: bytes, text, a document that differs, files to format
  2  wrong command line
  3  a schema has errors
  4  a file cannot be read or written
  5  internal error`

const completionLong = `Completion prints a script that lets a shell complete commands, flags, schemas
and files. To use it in one session:

  bash  source <(octable completion bash)
  zsh   source <(octable completion zsh)
  fish  octable completion fish | source`

const specHelp = "the schema: an `ID` as \"octable specs\" lists them, or the path of a .oct or .octb file"

const decodeLong = `Decode prints the values of packets. It reads files, or its arguments as
hexadecimal digits, or its input if there are no arguments. A file that
consists of hexadecimal digits is read as digits. Digits may have 0x before
them and blanks, commas and line ends between bytes.

Bytes after a value are reported as a warning, since engines ignore them; with
-strict they are an error.

With -lines it answers every line of input, which is a packet in digits, with
a line of output, at once. A line that is empty is a packet without bytes. The
answer is a JSON object:

  {"ok":true,"text":"…","hex":"…","used":8,"canonical":true}
  {"ok":false,"kind":"truncated","offset":4,"path":"[0]","error":"…"}

"hex" is the value encoded again, and "canonical" says whether it equals the
bytes that were read; "used" is the number of these bytes. Kinds are truncated,
type, text, value, closed, depth, limit, canonical, trailing, checksum,
mismatch, range, and hex for a line that is not in digits. The exit status is 0
for any lines.`

const encodeLong = `Encode writes values as packets. It reads a value as "octable decode" prints
it, from its argument, which may be the name of a file, or from its input, and prints the bytes in
hexadecimal digits. That is Godot's notation for schemas of Variants, and the
notation of examples for any other schema: {id: 5, name: "a"}.

With -lines every line of input is a JSON string that holds a value in
notation (or, with -json, a value in JSON), and is answered by a line of
output, at once:

  {"ok":true,"hex":"…"}
  {"ok":false,"kind":"notation","line":1,"column":3,"error":"…"}

Kinds are notation and json for text that cannot be read, and mismatch,
range, depth, text or closed for values that the schema cannot write.`

const inspectLong = `Inspect shows the bytes of a packet beside their meaning: offset, digits,
characters, and the tree of values and rows of the schema. Padding and bytes
after the value are labelled. If the packet is malformed, the tree ends at the
error, with a mark at the faulty byte.

It reads what "octable decode" reads.`

const conformLong = `Conform starts COMMAND, an implementation of the format in any language, asks
it to read and write the vectors of a schema, and explains each failure with
the bytes and their correct reading. COMMAND answers one JSON object a line on
its standard output for each on its standard input; the page
conformance/protocol/README.md describes them, and conformance/wrappers has
wrappers for some languages.

Each answer is limited in time, and each process in memory. A process that dies
is started again, and the case at which it died is repeated alone.

A list of expected failures has a pattern of ids on each line, and after # a
reason. An operation may precede the pattern, and a heading such as [godot-4.*]
limits the lines below it to schemas. A case that passes though it is expected
to fail is an error, and so is a line that matches no case.

The exit status is 1 if a case fails that is not expected to, and 4 if
COMMAND cannot be started.`

const talkLong = `Talk exchanges values with a running program, such as a game: it prints each
received packet as a line, and sends each line of input as a packet. It speaks
TCP as PacketPeerStream, put_var and get_var do, UDP as PacketPeerUDP does, and
WebSocket. Notes about peers go to standard error, so that the output has values
only.

It waits with -listen for any number of peers, and lines are sent to all of
them; they wait until there is one. With -connect it ends when the peer
leaves, otherwise at an interrupt (Ctrl-C). The address is one of the loopback
interface if it has no host: only programs of this machine can connect.`

const debugLong = `Debug is a debugger of running games: it prints the output of the game, errors
with their place and stack, and the reason of each pause. Start the game with

  godot --path GAME --remote-debug tcp://127.0.0.1:6007   Godot 4
  godot --path GAME --remote-debug 127.0.0.1:6007         Godot 3

Lines of input are commands:

  break                     pause the game
  continue, step, next      let it run, to the next line, over calls
  stack, vars [N]           its stack, and the variables of frame N, from 0
  tree                      the scene tree
  breakpoint FILE:LINE      pause at a line, such as res://main.gd:12
  clear FILE:LINE           remove a breakpoint
  send NAME [VALUE…]        a message, with values in notation
  wait                      take the next command when the game pauses
  quit                      end the debugger

The package codec/godot/debugger has the protocol for programs in Go.`
