# RIFF/WAVE
# Made from schema wave by octable export kaitai; changes here are lost.
# Its facts: the RIFF description of 1991, WAVEFORMATEXTENSIBLE of Microsoft, and files of programs
# Program 6a8220fe317576cbf52d01bb750967351d1cdfa0b81012b2615810e81ed39122
#
# What this description cannot say:
#   - How values are written: Kaitai Struct describes reading only.
#   - That values may be nested at most 16 deep.
#   - That padding which may be missing at the end of the packet is complete in a region that ends before.
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
    doc: "A chunk: its code, its length, its content, and a byte of padding if the length is odd. The padding of the last chunk may be missing."
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
            544501094: body_format
            1414744396: body_list
            1635017060: body_data
            1952670054: body_fact
            "_": body_other
    instances:
      arm:
        value: "argument_0"
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
    doc: "A list of chunks: INFO holds texts about the file."
    seq:
      - id: kind
        doc: "list type"
        type: u4le
      - id: chunks
        type: chunk
        repeat: eos
  body_data:
    doc: "The samples, of all channels in turn."
    seq:
      - id: samples
        doc: "samples"
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
  body_other:
    doc: "Any other content, unchanged."
    seq:
      - id: bytes
        doc: "the content"
        size-eos: true
  extra:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: body
        type:
          switch-on: arm
          cases:
            65534: extra_extensible
            "_": extra_other
    instances:
      arm:
        value: "argument_0"
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
