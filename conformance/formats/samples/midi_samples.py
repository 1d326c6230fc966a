"""Standard MIDI files by abc2midi and mido, read by mido."""

import mido

from tool import run, write

KEYS = {key: (sharps, minor) for minor, keys in enumerate([
    "Cb Gb Db Ab Eb Bb F C G D A E B F# C#", "Abm Ebm Bbm Fm Cm Gm Dm Am Em Bm F#m C#m G#m D#m A#m"])
    for sharps, key in zip(range(-7, 8), keys.split())}

TUNES = {
    "waltz": "M:3/4\nL:1/8\nQ:1/4=120\nK:Dm\n%%MIDI program 12\n\"Dm\"D2 F2 A2 | d4 z2 | [DFA]6 |]\nw: la la la\n",
    "reel": "M:4/4\nL:1/8\nQ:1/2=96\nK:G\n|: GABc dedB | dedB dedB :|\n",
    "jig": "M:6/8\nL:1/8\nQ:3/8=110\nK:Amix\n|: A2B cde | fed cBA :|\n",
    "hornpipe": "M:2/2\nL:1/8\nK:D\n%%MIDI channel 5\nA>d f>d | e2 e2 |\n",
    "grace": "M:2/4\nL:1/16\nK:Bb\n{c}B4 {Bc}d4 | ~f8 |\n",
    "voices": "M:4/4\nL:1/4\nK:C\nV:1\n%%MIDI program 40\nCDEF | GABc |\nV:2 clef=bass\n%%MIDI program 42\nC,2 G,2 | C,4 |\n",
    "bend": "M:4/4\nL:1/4\nK:Em\n%%MIDI control 7 100\n%%MIDI control 10 30\n%%MIDI pitchbend 60 0\nE G B e |\n",
    "drums": "M:4/4\nL:1/8\nK:C\n%%MIDI drumon\n%%MIDI drum dddd 36 38 36 38 110 80 110 80\n|CDEF GABc|\n",
    "chords": "M:4/4\nL:1/4\nK:F\n%%MIDI gchord fzcz\n\"F\"FACF|\"Bb\"B4|\"C7\"c4|\n",
    "triplets": "M:4/4\nL:1/8\nK:A\n(3ABc (3def (3gag | (5abcde f2 |\n",
}


def make(home):
    for name, tune in TUNES.items():
        abc = write(home / "tune.abc", f"X:1\nT:{name}\n{tune}".encode())
        path = home / (name + ".mid")
        run("abc2midi", str(abc), "-o", str(path))
        abc.unlink()
        yield path
    for name, kind, division, tracks in files():
        file = mido.MidiFile(type=kind, ticks_per_beat=division)
        for messages in tracks:
            file.tracks.append(mido.MidiTrack(messages))
        path = home / (name + ".mid")
        file.save(path)
        yield path


def files():
    """files returns names, formats, divisions and tracks of files that mido writes. Two events in a row have different status
    bytes, since mido writes running status; frame rates other than 24 are not written as RP-001 says."""
    M, X = mido.Message, mido.MetaMessage
    yield "empty", 0, 96, [[]]
    yield "note", 0, 480, [[M("note_on", channel=9, note=36, velocity=127, time=0), M("note_off", channel=9, note=36, velocity=64, time=268435455)]]
    yield "pressure", 0, 24, [[M("polytouch", channel=1, note=60, value=3, time=127), M("aftertouch", channel=15, value=127, time=128)]]
    yield "bends", 0, 960, [[M("pitchwheel", channel=pitch & 15, pitch=pitch, time=16383 + pitch) for pitch in (-8192, -1, 4, 1, 8190)]]
    yield "controls", 0, 32767, [[M("control_change", channel=c, control=121 - c, value=8 * c, time=c) for c in range(16)]]
    yield "programs", 0, 1, [[M("program_change", channel=c, program=c * 8, time=0) for c in range(16)]]
    yield "sysex", 0, 120, [[M("sysex", data=[0x7E, 0x7F, 9, 1], time=5), M("sysex", data=list(range(128)) * 2, time=6)]]
    yield "texts", 1, 120, [[X("sequence_number", number=513), X("text", text="plain"), X("copyright", text="© 2026"), X("track_name", name="naïve"), X("instrument_name", name="bass"), X("lyrics", text="la"), X("marker", text="A"), X("cue_marker", text="curtain"), X("device_name", name="synth")], [X("text", text="x" * 300, time=9)]]
    yield "settings", 1, 384, [[X("set_tempo", tempo=1), X("set_tempo", tempo=16777215, time=1), X("smpte_offset", frame_rate=24, hours=23, minutes=59, seconds=58, frames=24, sub_frames=99), X("channel_prefix", channel=7), X("midi_port", port=2), X("sequencer_specific", data=(0, 1, 2, 127))], [X("time_signature", numerator=7, denominator=16, clocks_per_click=36, notated_32nd_notes_per_beat=9)]]
    yield "keys", 1, 384, [[X("key_signature", key=key) for key in KEYS]]
    yield "songs", 2, 100, [[M("note_on", note=n, time=n), M("note_off", note=n, velocity=0, time=n)] for n in (0, 60, 127)]
    yield "long", 0, 96, [[M("note_on", channel=n % 16, note=n % 128, velocity=n * 7 % 128, time=n * n) for n in range(200)]]


def read(paths):
    return map(read_one, paths)


def read_one(path):
    file = mido.MidiFile(path)
    chunks = [{"id": "MTrk", "body": {"track": [event(m) for m in track]}} for track in file.tracks]
    header = {"format": file.type, "tracks": len(file.tracks), "timecode": False, "division": file.ticks_per_beat}
    return {"reader": "mido " + ".".join(map(str, mido.version_info[:3])), "value": {"header": header, "chunks": chunks}}


def event(m):
    return {"delta": m.time, "message": {"meta": {"data": {m.type: meta(m)}}} if m.is_meta else message(m)}


RATES = {24: 0, 25: 1, 29.97: 2, 30: 3}


def meta(m):
    """meta returns the content of a meta-event with the names of the schema."""
    v = {k: x for k, x in vars(m).items() if k not in ("type", "time")}
    if m.type == "key_signature":
        return dict(zip(("sharps", "minor"), (KEYS[m.key][0], bool(KEYS[m.key][1]))))
    if m.type == "time_signature":
        v["denominator"] = m.denominator.bit_length() - 1
        v["notated_32nd_notes"] = v.pop("notated_32nd_notes_per_beat")
    if m.type == "smpte_offset":
        v["frame_rate"] = RATES[m.frame_rate]
    if m.type == "sequencer_specific":
        return bytes(m.data).hex()
    if m.type == "end_of_track":
        return None
    return list(v.values())[0] if len(v) == 1 else v


def message(m):
    """message returns a channel or system exclusive message with the names of the schema."""
    v = m.dict()
    for k in ("type", "time"):
        v.pop(k)
    if m.type == "sysex":
        return {"sysex": bytes(m.data).hex() + "f7"}
    if m.type == "pitchwheel":
        return {"pitch_bend": {"channel": m.channel, "low": m.pitch + 8192 & 127, "high": m.pitch + 8192 >> 7}}
    names = {"note": "key"}
    arm = {"program_change": "program", "control_change": "control", "polytouch": "key_pressure", "aftertouch": "channel_pressure"}.get(m.type, m.type)
    names.update({"polytouch": {"value": "pressure"}, "aftertouch": {"value": "pressure"}, "control_change": {"control": "number"}, "program_change": {"program": "number"}}.get(m.type, {}))
    return {arm: {names.get(k, k): x for k, x in v.items()}}
