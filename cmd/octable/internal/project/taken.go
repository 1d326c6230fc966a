// Names that packages do not have, since they mean something else.

package project

import "strings"

// taken has, by language, names that a package must not have. They are the modules that come with the language, which
// would hide the package or be hidden by it, and words that are not names. For Go, where paths distinguish packages, they
// are the words with another meaning, and the names that the test of a package imports.
var taken = map[string]map[string]bool{
	"go": set(`
		break case chan const continue default defer else fallthrough for func go goto if import interface map package
		range return select struct switch type var
		any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32
		float64 imag int int16 int32 int64 int8 iota len main make max min new nil panic print println real recover
		rune string true uint uint16 uint32 uint64 uint8 uintptr
		bytes errors fmt hex json os strings testing`),
	"ts": set(`
		assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
		events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
		stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`),
	"python": set(`
		as assert async await break class continue def del elif else except finally for from global if import in is
		lambda none nonlocal not or pass raise return true false try while with yield
		abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
		builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
		concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
		decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
		fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
		hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
		lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
		multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib
		pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
		py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
		sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
		sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
		symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
		tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
		unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
		zipfile zipimport zlib zoneinfo`),
}

func set(names string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(names) {
		out[n] = true
	}
	return out
}
