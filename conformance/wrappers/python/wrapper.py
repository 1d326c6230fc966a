"""The protocol of octable conform for Python: a program that calls serve is an implementation
that the runner can talk with.

    from wrapper import serve
    serve({"name": "my codec", "specs": ["godot-4.4"]}, decode, encode)

decode gets the bytes and the whole request, and returns the value in the notation of values
(values.py helps with that) and how many bytes it took, or None where it does not tell. encode gets
a value in that notation and the whole request, and returns bytes. recode, which may be left out, gets
bytes and returns those of the value that the codec reads from them. Each refuses by raising an
exception, whose attributes kind and offset are passed on where it has them, and says that it
cannot do a thing at all by raising Unsupported.
"""
import json
import sys
import threading


class Unsupported(Exception):
    pass


def answer(request, about, decode, encode, recode):
    if request["op"] == "hello":
        ops = ["decode", "encode"] + ["recode"] * (recode is not None)
        return {"hello": {"protocol": 1, "language": "Python", "ops": ops, **about}}
    if request["op"] == "encode":
        return {"ok": True, "bytes": encode(request["value"], request).hex()}
    if request["op"] == "recode" and recode:
        return {"ok": True, "bytes": recode(bytes.fromhex(request.get("bytes", "")), request).hex()}
    if request["op"] != "decode":
        raise Unsupported("the operation " + request["op"])
    value, used = decode(bytes.fromhex(request.get("bytes", "")), request)
    return {"ok": True, "value": value, "used": used or 0}


def loop(*codec):
    answers, sys.stdout = sys.stdout, sys.stderr  # standard output is for answers
    for line in sys.stdin:
        request = json.loads(line)
        try:
            said = json.dumps({"id": request["id"], **answer(request, *codec)})
        except Unsupported as e:
            said = json.dumps({"id": request["id"], "unsupported": str(e)})
        except Exception as e:
            error = {"error": str(e) or type(e).__name__, "kind": getattr(e, "kind", ""), "offset": getattr(e, "offset", None)}
            said = json.dumps({"id": request["id"], **error})
        print(said, file=answers, flush=True)


def serve(about, decode, encode, recode=None):
    sys.setrecursionlimit(100_000)  # values may be nested 1024 deep, and JSON of them thrice that
    threading.stack_size(512 << 20)
    threading.Thread(target=loop, args=(about, decode, encode, recode)).start()
