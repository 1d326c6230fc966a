# RIFF/WAVE
# Made from schema wave by octable export kaitai; changes here are lost.
# Its facts: Multimedia Programming Interface and Data Specifications 1.0 of IBM and Microsoft (RIFF), New Multimedia Data Types (RIFF NEW), and files of programs
# Program a8a6510b558b17c2097a4220d65143b085adb67eb587a136342233657de979cf
#
# What this description cannot say:
#   - How values are written: Kaitai Struct describes reading only.
#   - That values may be nested at most 12 deep.
#   - That text may be any bytes: what happens with bytes that are no UTF-8 depends on the language of the reader.
meta:
  id: wave
  title: "RIFF/WAVE"
  endian: le
  ks-version: "0.10"
seq:
  - id: value
    type: file
types:
  file:
    doc: "A file: one RIFF chunk of the form WAVE."
    seq:
      - id: id
        type: u4le
      - id: check
        size: "0"
        doc: "expected id == 'RIFF'"
        valid:
          expr: "(id == 1179011410)"
      - id: size
        type: u4
      - id: wave
        type: file_wave
        size: "size"
  file_wave:
    seq:
      - id: wave
        doc: "content of the file"
        type: wave_2
      - id: check
        size: "0"
        doc: "the region is used up"
        valid:
          expr: "_io.eof"
  wave_2:
    doc: "The content of the file, as chunks."
    seq:
      - id: form
        type: u4le
      - id: check
        size: "0"
        doc: "expected form == 'WAVE'"
        valid:
          expr: "(form == 1163280727)"
      - id: chunks
        type: chunk
        repeat: eos
  chunk:
    doc: "A chunk: its code, its length, its content, and a byte of padding if the length is odd. The padding of the last chunk of a file or a list may be missing."
    seq:
      - id: id
        type: u4le
      - id: size
        type: u4
      - id: mark
        if: "begin >= 0"
        size: "0"
      - id: body
        type: chunk_body(id)
        size: "size"
      - id: padding
        size: "((2 - (_io.pos - begin) % 2) % 2) < _io.size - _io.pos ? ((2 - (_io.pos - begin) % 2) % 2) : _io.size - _io.pos"
    instances:
      begin:
        value: "_io.pos"
  chunk_body:
    params:
      - id: id
        type: s8
    seq:
      - id: body
        doc: "the content"
        type: body(id)
      - id: check
        size: "0"
        doc: "the region is used up"
        valid:
          expr: "_io.eof"
  body:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: body
        type:
          switch-on: arm
          cases:
            543520099: body_cue
            544501094: body_format
            1414744396: body_list
            1635017060: body_data
            1819307379: body_sampler
            1952670054: body_fact
            1953393779: body_silence
            1953721456: body_play_list
            1953721961: body_instrument
            "_": body_other
    instances:
      arm:
        value: "argument_0"
  body_cue:
    doc: "RIFF: places in the samples."
    seq:
      - id: count
        type: u4
      - id: points
        type: cue_point
        repeat: expr
        repeat-expr: "count"
  body_format:
    doc: "The format of the samples."
    seq:
      - id: tag
        type: u2
      - id: channels
        doc: "number of channels"
        type: u2
      - id: rate
        doc: "samples per second, of each channel"
        type: u4
      - id: bytes_per_second
        doc: "bytes per second, of all channels"
        type: u4
      - id: block
        doc: "bytes of one sample of all channels"
        type: u2
      - id: bits
        doc: "bits of a sample"
        type: u2
      - id: mark
        if: "more >= 0"
        size: "0"
      - id: size
        if: "more != 0"
        type: u2
      - id: extra
        if: "more != 0"
        type: body_format_extra(tag)
        size: "size"
    instances:
      more:
        value: "(_io.pos < _io.size ? 1 : 0)"
  body_format_extra:
    params:
      - id: tag
        type: s8
    seq:
      - id: extra
        doc: "further data of the format"
        type: extra(tag)
      - id: check
        size: "0"
        doc: "the region is used up"
        valid:
          expr: "_io.eof"
  body_list:
    doc: "RIFF: a list of chunks."
    seq:
      - id: kind
        type: u4le
      - id: content
        doc: "the list"
        type: list(kind)
  body_data:
    doc: "The samples, of all channels in turn."
    seq:
      - id: samples
        doc: "samples"
        size-eos: true
  body_sampler:
    doc: "RIFF NEW: data for a sampler."
    seq:
      - id: manufacturer
        doc: "MIDI number of the manufacturer"
        type: u4
      - id: product
        doc: "the sampler"
        type: u4
      - id: period
        doc: "nanoseconds of a sample"
        type: u4
      - id: unity_note
        doc: "MIDI note of the samples"
        type: u4
      - id: pitch_fraction
        doc: "part of a semitone above the note, of 2^32"
        type: u4
      - id: smpte_format
        doc: "frames per second: 0, 24, 25, 29 (30 with dropped frames) or 30"
        type: u4
      - id: smpte_offset
        doc: "hours, minutes, seconds and frames, a byte each"
        type: u4
      - id: loop_count
        type: u4
      - id: data_size
        type: u4
      - id: loops
        type: sample_loop
        repeat: expr
        repeat-expr: "loop_count"
      - id: extra
        doc: "data of the manufacturer"
        size-eos: true
  body_fact:
    doc: "The number of samples, which compressed files have."
    seq:
      - id: samples
        doc: "samples of each channel"
        type: u4
      - id: extra
        doc: "fields of later versions"
        size-eos: true
  body_silence:
    doc: "RIFF: a pause in a list of waves."
    seq:
      - id: samples
        doc: "samples of silence"
        type: u4
  body_play_list:
    doc: "RIFF: the order in which parts of the samples are played."
    seq:
      - id: count
        type: u4
      - id: parts
        type: played_part
        repeat: expr
        repeat-expr: "count"
  body_instrument:
    doc: "RIFF NEW: the notes that an instrument plays with the samples."
    seq:
      - id: unshifted_note
        doc: "MIDI note of the samples"
        type: u1
      - id: fine_tune
        doc: "cents, -50 to 50"
        type: s1
      - id: gain
        doc: "decibels"
        type: s1
      - id: low_note
        doc: "lowest MIDI note"
        type: u1
      - id: high_note
        doc: "highest MIDI note"
        type: u1
      - id: low_velocity
        doc: "lowest velocity"
        type: u1
      - id: high_velocity
        doc: "highest velocity"
        type: u1
  body_other:
    doc: "Any other content, unchanged."
    seq:
      - id: bytes
        doc: "the content"
        size-eos: true
  cue_point:
    doc: "RIFF: a place in the samples."
    seq:
      - id: id
        doc: "number of the cue point"
        type: u4
      - id: position
        doc: "sample in the order of the play list"
        type: u4
      - id: chunk
        doc: "data, or slnt in a list of waves"
        type: u4le
      - id: chunk_start
        doc: "offset of the chunk in the list of waves; 0 without one"
        type: u4
      - id: block_start
        doc: "offset of the block in the samples"
        type: u4
      - id: sample_offset
        doc: "sample in the block"
        type: u4
  extra:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: body
        type:
          switch-on: lowest
          cases:
            2: extra_ms_adpcm
            17: extra_blocks
            65534: extra_extensible
            "_": extra_other
    instances:
      arm:
        value: "argument_0"
      lowest:
        value: "(arm == 17 or arm == 49) ? 17 : arm"
  extra_ms_adpcm:
    doc: "RIFF NEW: Microsoft ADPCM."
    seq:
      - id: samples
        doc: "samples of a block"
        type: u2
      - id: count
        type: u2
      - id: coefficients
        type: coefficients
        repeat: expr
        repeat-expr: "count"
  extra_blocks:
    doc: "RIFF NEW: ADPCM of the IMA; GSM 6.10 of Microsoft."
    seq:
      - id: samples
        doc: "samples of a block"
        type: u2
  extra_extensible:
    doc: "WAVEFORMATEXTENSIBLE. The GUID begins with the tag of the samples."
    seq:
      - id: valid_bits
        doc: "bits of a sample that are used"
        type: u2
      - id: channel_mask
        doc: "speakers of the channels"
        type: u4
      - id: sub_format
        doc: "tag of the samples: 1 integers, 3 floats"
        type: u2
      - id: guid
        doc: "the rest of the GUID"
        size: "14"
      - id: rest
        doc: "fields of later versions"
        size-eos: true
  extra_other:
    doc: "Further data of other formats."
    seq:
      - id: bytes
        doc: "the data"
        size-eos: true
  list:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: body
        type:
          switch-on: arm
          cases:
            1330007625: list_info
            1819567201: list_cue_data
            "_": list_chunks
    instances:
      arm:
        value: "argument_0"
  list_info:
    doc: "RIFF: texts about the file."
    seq:
      - id: texts
        type: info_text
        repeat: eos
  list_cue_data:
    doc: "RIFF: data about cue points."
    seq:
      - id: entries
        type: cue_data
        repeat: eos
  list_chunks:
    doc: "Chunks of another list."
    seq:
      - id: chunks
        type: chunk
        repeat: eos
  sample_loop:
    doc: "RIFF NEW: samples that are played again."
    seq:
      - id: value
        type: tuple_of_6_u32
  tuple_of_6_u32:
    seq:
      - id: cue
        type: u4
      - id: kind
        type: u4
      - id: start
        type: u4
      - id: end_sample
        type: u4
      - id: fraction
        type: u4
      - id: play_count
        type: u4
  played_part:
    doc: "RIFF: a part of the samples in a play list."
    seq:
      - id: value
        type: cue_length_loops_u32
  cue_length_loops_u32:
    seq:
      - id: cue
        type: u4
      - id: length
        type: u4
      - id: loops
        type: u4
  coefficients:
    doc: "RIFF NEW: coefficients of a prediction, in 256ths."
    seq:
      - id: value
        type: previous_earlier_i16
  previous_earlier_i16:
    seq:
      - id: previous
        type: s2
      - id: earlier
        type: s2
  info_text:
    doc: "RIFF: a text of INFO, which has a chunk for each."
    seq:
      - id: id
        doc: "INAM title, IART artist, ICMT comment, ICOP copyright, ICRD date, ISFT software, and others"
        type: u4le
      - id: size
        type: u4
      - id: text
        doc: "the text"
        type: str
        size: "size"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "((2 - size % 2) % 2) < _io.size - _io.pos ? ((2 - size % 2) % 2) : _io.size - _io.pos"
  cue_data:
    doc: "RIFF: a chunk of adtl."
    seq:
      - id: id
        type: u4le
      - id: size
        type: u4
      - id: mark
        if: "begin >= 0"
        size: "0"
      - id: data
        type: cue_data_data(id)
        size: "size"
      - id: padding
        size: "((2 - (_io.pos - begin) % 2) % 2) < _io.size - _io.pos ? ((2 - (_io.pos - begin) % 2) % 2) : _io.size - _io.pos"
    instances:
      begin:
        value: "_io.pos"
  cue_data_data:
    params:
      - id: id
        type: s8
    seq:
      - id: data
        doc: "the content"
        type: cue_body(id)
      - id: check
        size: "0"
        doc: "the region is used up"
        valid:
          expr: "_io.eof"
  cue_body:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: body
        type:
          switch-on: arm
          cases:
            1701603686: cue_body_file
            1702129518: cue_body_note
            1818386796: cue_body_label
            1954051180: cue_body_segment
            "_": cue_body_other
    instances:
      arm:
        value: "argument_0"
  cue_body_file:
    doc: "RIFF: a file for a cue point."
    seq:
      - id: cue
        doc: "number of the cue point"
        type: u4
      - id: kind
        doc: "four letters: RDIB for a bitmap; 0 a text file"
        type: u4
      - id: file
        doc: "the file"
        size-eos: true
  cue_body_note:
    doc: "RIFF: a comment on a cue point."
    seq:
      - id: cue
        doc: "number of the cue point"
        type: u4
      - id: text
        doc: "the comment"
        type: str
        terminator: 0
        encoding: UTF-8
      - id: extra
        doc: "bytes after the text"
        size-eos: true
  cue_body_label:
    doc: "RIFF: the label of a cue point."
    seq:
      - id: cue
        doc: "number of the cue point"
        type: u4
      - id: text
        doc: "the label"
        type: str
        terminator: 0
        encoding: UTF-8
      - id: extra
        doc: "bytes after the text"
        size-eos: true
  cue_body_segment:
    doc: "RIFF: a text for a part of the samples."
    seq:
      - id: cue
        doc: "number of the cue point"
        type: u4
      - id: samples
        doc: "samples of the part"
        type: u4
      - id: purpose
        doc: "rgn for a region, scrp for a script, capt for a caption"
        type: u4le
      - id: country
        doc: "country code"
        type: u2
      - id: language
        doc: "language code"
        type: u2
      - id: dialect
        doc: "dialect of the language"
        type: u2
      - id: code_page
        doc: "code page of the text"
        type: u2
      - id: text
        doc: "the text"
        type: str
        size-eos: true
        encoding: UTF-8
  cue_body_other:
    doc: "Any other data, unchanged."
    seq:
      - id: bytes
        doc: "the content"
        size-eos: true
