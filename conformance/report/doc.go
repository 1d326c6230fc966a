// Package report shows the results of runs of the conformance suite. It writes text for a
// terminal ([Text]), a file that can be read back ([WriteJSON], [Read]), the formats of test
// runners ([JUnit], [TAP]), one page that compares implementations ([HTML]), a badge ([Badge]),
// and a page of Markdown that says how the results were obtained ([Page]).
//
// All of them take their numbers from [Summarize]. Texts of implementations are untrusted:
// control characters and malformed UTF-8 are shown by their numbers, markup is escaped, and
// long texts are cut with a note of their length.
//
// # The JSON file
//
// One object with these keys; a reader ignores others.
//
//	format   1, the number of this form
//	run      runner.Run: about, spec, program, command, flags, started, took, restarts,
//	         notes, unused and stopped, and for each case and operation one of
//	         "results", which are runner.CaseResult
//	suite    vectors.Suite with the cases and flags that the results are about, so
//	         that the file can be shown without the vectors
//
// Times are RFC 3339, durations nanoseconds. An answer of the implementation of more
// than 16 KiB is replaced by a text that says how long it was.
//
// # JUnit XML
//
//	testsuites  name: the implementation and its version
//	testsuite   one for each type of the schema; name: spec and type
//	testcase    name: id and operation; classname: spec and type, with dots; time: seconds
//	failure     a failing case; type: the outcome; message: what is wrong; text: what
//	            was expected, what came, and the command that runs the case again
//	error       in its place where the process crashed, hung, took too much memory or
//	            broke the protocol, and where an expected failure passes
//	skipped     an unsupported case, an expected failure, or what differs where it may;
//	            message: the reason
//
// A last testsuite has an error for each line of a list of expected failures that fits
// nothing, and for a run that ended early.
//
//	property    of a testsuite: spec, program, command, implementation, version, language
//
// # TAP
//
// Version 14. The description is the id and the operation. Unsupported cases are
// "ok … # SKIP reason", expected failures and what differs where it may
// "not ok … # TODO reason". Every other "not ok" of a case has a block of YAML with
// outcome, message, expected, got, row, offset, path, bytes and command. What is wrong
// with the run itself are after the cases.
package report
