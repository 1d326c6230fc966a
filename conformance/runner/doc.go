// Package runner runs vectors against an implementation, in a child process or in
// this one. It judges the result of each case.
//
// [Conform] runs a suite against a [Target] and returns a [Run] with a [CaseResult] for each
// case and operation. [Check] is for tests of Go implementations. [Smoke] checks a wrapper, not
// the implementation behind it.
//
// # Operations
//
// A case with bytes is asked as decode: the bytes, and the answer is to be the value.
// A case with a value is asked as encode: the value, and the answer is to be
// Canonical, or the bytes. Cases that have both are asked both ways. Of an
// implementation that lacks one of the two, cases with bytes are asked as recode,
// where it has that. Cases that use types that an implementation has declared as
// missing, and cases with objects in full where it cannot be told to allow them, are
// not asked.
//
// # Outcomes
//
// Values are compared by the rules of package vectors. Bytes that are not those of
// the case are read with the schema, and the value that they represent is compared.
//
//	                   valid or acceptable           invalid
//	value or bytes     exact bytes, same value,      accepted wrongly
//	                   lossy, wrong value
//	null, not Nil      silently null                 silently null
//	error              refused wrongly               refused rightly
//	unsupported        unsupported                   unsupported
//	no answer          crash, hang, out of memory, not of the protocol
//
// Bytes that nobody can read are a wrong value. So is the right value where the
// number of bytes that it took is told, and is not the right one. An answer whose
// value cannot be read as one is not of the protocol.
//
// An implementation that has declared that it gives null for an error as well as for
// Nil gets the benefit of the doubt: its null is a refusal where the value is not Nil.
// Such results are marked as Ambiguous.
//
// # Verdicts
//
//	valid        exact bytes and same value pass
//	acceptable   so they do, and refused wrongly where the case is not a must
//	invalid      refused rightly passes
//	any          unsupported is neither a pass nor a failure
//
// Strict, bytes that represent the same value and are not those of the case do not
// pass: a wide form where the narrow would do, padding that is not zero.
//
// Everything else fails. If the case is a may, it differs, which is noted and no
// failure, unless there was no answer: nobody may crash.
//
// A list of expected failures turns fail and differs into expected, and pass into an
// unexpected pass, which is an error; see [Expectations].
package runner
