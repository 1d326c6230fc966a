// Package process runs implementations that speak the protocol of package protocol as
// child processes, within limits of time and memory.
//
// A [Child] is one process, from its start to its end; anything that it does against
// the protocol is a [Fault], after which it is gone with all the processes that it
// has started. A [Session] is one implementation, until it is closed: it
// sends requests without waiting for each answer, starts the process again where it
// died, and finds out which request was to blame by asking it once more, alone, of a
// fresh process.
//
// # Limits
//
// Time is limited from when a request is the first one that waits for its answer.
// Memory is the resident memory of the process and all that it has started, which
// is measured every 25 ms: by /proc on Linux, every 250 ms by ps on other Unix
// systems, and not at all elsewhere ([MeasuresMemory]). Limits of address space,
// which runtimes such as those of Go and Node reserve more of than they use, are
// left to the caller ([Config.AddressSpace], Unix only).
//
// On Unix the process is the head of a process group, which is killed as a whole,
// with those of its descendants that left the group. On Windows taskkill ends the tree.
package process
