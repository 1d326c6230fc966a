# Godot 4.4 to 4.6, as the engines implement it
# Made from schema godot-4.4 by octable export kaitai; changes here are lost.
# Its facts: 4.6.3 run; sources of 4.4 to 4.6
# Program 2e8f0099aef5c1eee15097b82c806fb79f3218eee20e8c8d06a8ff90c3c8eab6
#
# What this description cannot say:
#   - How values are written: Kaitai Struct describes reading only.
#   - That values may be nested at most 1024 deep.
#   - That the part of the format called objects is refused unless the caller allows it: it is read here.
#   - That text which is no UTF-8 is refused: what happens depends on the language of the reader.
#   - That a byte order mark at the beginning of a text is left out.
meta:
  id: godot_4_4_single
  title: "Godot 4.4 to 4.6, as the engines implement it"
  endian: le
  ks-version: "0.10"
seq:
  - id: value
    type: variant
types:
  variant:
    seq:
      - id: header
        type: u4
      - id: check
        size: "0"
        doc: "the number is that of a known type"
        valid:
          expr: "(arm >= 0 and arm <= 38)"
      - id: body
        type:
          switch-on: arm
          cases:
            0: variant_nil
            1: variant_bool
            2: variant_int(header)
            3: variant_float(header)
            4: variant_string
            5: variant_vector2(header)
            6: variant_vector2i
            7: variant_rect2(header)
            8: variant_rect2i
            9: variant_vector3(header)
            10: variant_vector3i
            11: variant_transform2_d(header)
            12: variant_vector4(header)
            13: variant_vector4i
            14: variant_plane(header)
            15: variant_quaternion(header)
            16: variant_aabb(header)
            17: variant_basis(header)
            18: variant_transform3_d(header)
            19: variant_projection(header)
            20: variant_color
            21: variant_string_name
            22: variant_node_path
            23: variant_rid
            24: variant_object(header)
            25: variant_callable
            26: variant_signal
            27: variant_dictionary(header)
            28: variant_array(header)
            29: variant_packed_byte_array
            30: variant_packed_int32_array
            31: variant_packed_int64_array
            32: variant_packed_float32_array
            33: variant_packed_float64_array
            34: variant_packed_string_array
            35: variant_packed_vector2_array(header)
            36: variant_packed_vector3_array(header)
            37: variant_packed_color_array
            38: variant_packed_vector4_array(header)
    instances:
      arm:
        value: "(header % 256)"
  variant_nil:
    doc: "No value."
  variant_bool:
    seq:
      - id: value
        doc: "0 for false, 1 for true"
        type: u4
  variant_int:
    doc: "A number in 32 bits or, with the flag, in 64."
    params:
      - id: header
        type: s8
    seq:
      - id: value_i32
        if: "not (wide != 0)"
        type: s4
      - id: value_i64
        if: "wide != 0"
        type: s8
    instances:
      wide:
        value: "((header / 65536) & 1)"
      value:
        value: "(not (wide != 0)) ? value_i32 : value_i64"
  variant_float:
    doc: "A number in single precision if that is exact, else in double precision."
    params:
      - id: header
        type: s8
    seq:
      - id: value_f32
        if: "not (wide != 0)"
        type: f4
      - id: value_f64
        if: "wide != 0"
        type: f8
    instances:
      wide:
        value: "((header / 65536) & 1)"
      value:
        value: "(not (wide != 0)) ? value_f32 : value_f64"
  variant_string:
    seq:
      - id: length
        type: u4
      - id: text
        doc: "the text"
        type: str
        size: "length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - length % 4) % 4"
  variant_vector2:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  x_y_f64:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
  x_y_f32:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
  variant_vector2i:
    seq:
      - id: value
        type: x_y_i32
  x_y_i32:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
  variant_rect2:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_width_height_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_width_height_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  x_y_width_height_f64:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: width
        type: f8
      - id: height
        type: f8
  x_y_width_height_f32:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: width
        type: f4
      - id: height
        type: f4
  variant_rect2i:
    seq:
      - id: value
        type: x_y_width_height_i32
  x_y_width_height_i32:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: width
        type: s4
      - id: height
        type: s4
  variant_vector3:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_z_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_z_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  x_y_z_f64:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8
  x_y_z_f32:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  variant_vector3i:
    seq:
      - id: value
        type: x_y_z_i32
  x_y_z_i32:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
  variant_transform2_d:
    doc: "A 2D transform, in column order."
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: xx_xy_yx_yy_ox_oy_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: xx_xy_yx_yy_ox_oy_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  xx_xy_yx_yy_ox_oy_f64:
    seq:
      - id: xx
        type: f8
      - id: xy
        type: f8
      - id: yx
        type: f8
      - id: yy
        type: f8
      - id: ox
        type: f8
      - id: oy
        type: f8
  xx_xy_yx_yy_ox_oy_f32:
    seq:
      - id: xx
        type: f4
      - id: xy
        type: f4
      - id: yx
        type: f4
      - id: yy
        type: f4
      - id: ox
        type: f4
      - id: oy
        type: f4
  variant_vector4:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_z_w_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_z_w_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  x_y_z_w_f64:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8
      - id: w
        type: f8
  x_y_z_w_f32:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
      - id: w
        type: f4
  variant_vector4i:
    seq:
      - id: value
        type: x_y_z_w_i32
  x_y_z_w_i32:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
      - id: w
        type: s4
  variant_plane:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: nx_ny_nz_d_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: nx_ny_nz_d_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  nx_ny_nz_d_f64:
    seq:
      - id: nx
        type: f8
      - id: ny
        type: f8
      - id: nz
        type: f8
      - id: d
        type: f8
  nx_ny_nz_d_f32:
    seq:
      - id: nx
        type: f4
      - id: ny
        type: f4
      - id: nz
        type: f4
      - id: d
        type: f4
  variant_quaternion:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_z_w_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_z_w_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  variant_aabb:
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: x_y_z_width_height_depth_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: x_y_z_width_height_depth_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  x_y_z_width_height_depth_f64:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8
      - id: width
        type: f8
      - id: height
        type: f8
      - id: depth
        type: f8
  x_y_z_width_height_depth_f32:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
      - id: width
        type: f4
      - id: height
        type: f4
      - id: depth
        type: f4
  variant_basis:
    doc: "A 3 by 3 matrix, in row order: the columns are the vectors that a script sees."
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: tuple_of_9_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: tuple_of_9_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  tuple_of_9_f64:
    seq:
      - id: xx
        type: f8
      - id: yx
        type: f8
      - id: zx
        type: f8
      - id: xy
        type: f8
      - id: yy
        type: f8
      - id: zy
        type: f8
      - id: xz
        type: f8
      - id: yz
        type: f8
      - id: zz
        type: f8
  tuple_of_9_f32:
    seq:
      - id: xx
        type: f4
      - id: yx
        type: f4
      - id: zx
        type: f4
      - id: xy
        type: f4
      - id: yy
        type: f4
      - id: zy
        type: f4
      - id: xz
        type: f4
      - id: yz
        type: f4
      - id: zz
        type: f4
  variant_transform3_d:
    doc: "A 3D transform: its basis in row order, then its origin."
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: tuple_of_12_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: tuple_of_12_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  tuple_of_12_f64:
    seq:
      - id: xx
        type: f8
      - id: yx
        type: f8
      - id: zx
        type: f8
      - id: xy
        type: f8
      - id: yy
        type: f8
      - id: zy
        type: f8
      - id: xz
        type: f8
      - id: yz
        type: f8
      - id: zz
        type: f8
      - id: ox
        type: f8
      - id: oy
        type: f8
      - id: oz
        type: f8
  tuple_of_12_f32:
    seq:
      - id: xx
        type: f4
      - id: yx
        type: f4
      - id: zx
        type: f4
      - id: xy
        type: f4
      - id: yy
        type: f4
      - id: zy
        type: f4
      - id: xz
        type: f4
      - id: yz
        type: f4
      - id: zz
        type: f4
      - id: ox
        type: f4
      - id: oy
        type: f4
      - id: oz
        type: f4
  variant_projection:
    doc: "A 4 by 4 matrix, in column order."
    params:
      - id: header
        type: s8
    seq:
      - id: value_f64
        if: "wide != 0"
        type: tuple_of_16_f64
      - id: value_f32
        if: "not (wide != 0)"
        type: tuple_of_16_f32
    instances:
      wide:
        value: "((header / 65536) & 1)"
  tuple_of_16_f64:
    seq:
      - id: xx
        type: f8
      - id: xy
        type: f8
      - id: xz
        type: f8
      - id: xw
        type: f8
      - id: yx
        type: f8
      - id: yy
        type: f8
      - id: yz
        type: f8
      - id: yw
        type: f8
      - id: zx
        type: f8
      - id: zy
        type: f8
      - id: zz
        type: f8
      - id: zw
        type: f8
      - id: wx
        type: f8
      - id: wy
        type: f8
      - id: wz
        type: f8
      - id: ww
        type: f8
  tuple_of_16_f32:
    seq:
      - id: xx
        type: f4
      - id: xy
        type: f4
      - id: xz
        type: f4
      - id: xw
        type: f4
      - id: yx
        type: f4
      - id: yy
        type: f4
      - id: yz
        type: f4
      - id: yw
        type: f4
      - id: zx
        type: f4
      - id: zy
        type: f4
      - id: zz
        type: f4
      - id: zw
        type: f4
      - id: wx
        type: f4
      - id: wy
        type: f4
      - id: wz
        type: f4
      - id: ww
        type: f4
  variant_color:
    doc: "A colour, in single precision in every build."
    seq:
      - id: value
        type: r_g_b_a_f32
  r_g_b_a_f32:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  variant_string_name:
    doc: "Interned text."
    seq:
      - id: length
        type: u4
      - id: text
        doc: "the text"
        type: str
        size: "length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - length % 4) % 4"
  variant_node_path:
    doc: "A path to a node: names, then subnames, then the old \"property\"."
    seq:
      - id: word
        type: u4
      - id: check
        size: "0"
        doc: "expected new_form == 1"
        valid:
          expr: "(new_form == 1)"
      - id: subname_count
        type: u4
      - id: flags
        type: u4
      - id: names
        type: string
        repeat: expr
        repeat-expr: "(name_count < (((name_count + subname_count) + property) % 4294967296) ? name_count : (((name_count + subname_count) + property) % 4294967296))"
      - id: check_2
        size: "0"
        doc: "the number of elements is not negative"
        valid:
          expr: "((((name_count + subname_count) + property) % 4294967296) - (name_count < (((name_count + subname_count) + property) % 4294967296) ? name_count : (((name_count + subname_count) + property) % 4294967296))) >= 0"
      - id: subnames
        type: string
        repeat: expr
        repeat-expr: "((((name_count + subname_count) + property) % 4294967296) - (name_count < (((name_count + subname_count) + property) % 4294967296) ? name_count : (((name_count + subname_count) + property) % 4294967296)))"
    instances:
      name_count:
        value: "(word % 2147483648)"
      new_form:
        value: "(word / 2147483648)"
      absolute:
        value: "(flags % 2)"
      property:
        value: "((flags / 2) & 1)"
  variant_rid:
    doc: "A resource id."
    seq:
      - id: id
        doc: "the id"
        type: u8
  variant_object:
    doc: "An object: its instance id or, if full objects are allowed, its class and its stored properties."
    params:
      - id: header
        type: s8
    seq:
      - id: id_u64
        if: "as_id != 0"
        type: u8
      - id: class_length
        if: "not (as_id != 0)"
        type: u4
      - id: class
        if: "not (as_id != 0)"
        doc: "class name"
        type: str
        size: "class_length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        if: "not (as_id != 0)"
        size: "(4 - class_length % 4) % 4"
      - id: property_count
        if: "(not (as_id != 0)) and (class.length != 0)"
        type: s4
      - id: properties
        if: "(not (as_id != 0)) and (class.length != 0)"
        type: object_properties
        repeat: expr
        repeat-expr: "(property_count > 0 ? property_count : 0)"
    instances:
      as_id:
        value: "((header / 65536) & 1)"
  variant_callable:
    doc: "A function of an object: a header alone."
  variant_signal:
    doc: "A signal of an object, which need not exist."
    seq:
      - id: name_length
        type: u4
      - id: name
        doc: "name of the signal"
        type: str
        size: "name_length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - name_length % 4) % 4"
      - id: id
        doc: "instance id of the object"
        type: u8
  variant_dictionary:
    doc: "Pairs of key and value in order. Flags in the header say that they are typed. An engine drops a pair whose key has another type; here it is kept."
    params:
      - id: header
        type: s8
    seq:
      - id: key_type
        if: "(key_kind != 0)"
        doc: "type of the keys"
        type: container_type(key_kind)
      - id: value_type
        if: "(value_kind != 0)"
        doc: "type of the values"
        type: container_type(value_kind)
      - id: word
        type: u4
      - id: pairs
        type: variant_pair
        repeat: expr
        repeat-expr: "pair_count"
    instances:
      key_kind:
        value: "((header / 65536) & 3)"
      value_kind:
        value: "((header / 262144) & 3)"
      pair_count:
        value: "(word % 2147483648)"
  variant_pair:
    seq:
      - id: key
        type: variant
      - id: value
        type: variant
  variant_array:
    doc: "A list of values. A flag in the header says that they have one type. An engine drops or converts an element of another type; here it is kept."
    params:
      - id: header
        type: s8
    seq:
      - id: type
        if: "(kind != 0)"
        doc: "type of the elements"
        type: container_type(kind)
      - id: word
        type: u4
      - id: elements
        type: variant
        repeat: expr
        repeat-expr: "element_count"
    instances:
      kind:
        value: "((header / 65536) & 3)"
      element_count:
        value: "(word % 2147483648)"
  variant_packed_byte_array:
    seq:
      - id: length
        type: u4
      - id: bytes
        doc: "a byte"
        size: "length"
      - id: padding
        size: "((4 - length % 4) % 4) < _io.size - _io.pos ? ((4 - length % 4) % 4) : _io.size - _io.pos"
  variant_packed_int32_array:
    seq:
      - id: length
        type: u4
      - id: numbers
        doc: "32-bit signed integer"
        type: s4
        repeat: expr
        repeat-expr: "length"
  variant_packed_int64_array:
    seq:
      - id: length
        type: u4
      - id: numbers
        doc: "64-bit signed integer"
        type: s8
        repeat: expr
        repeat-expr: "length"
  variant_packed_float32_array:
    seq:
      - id: length
        type: u4
      - id: numbers
        doc: "single precision"
        type: f4
        repeat: expr
        repeat-expr: "length"
  variant_packed_float64_array:
    seq:
      - id: length
        type: u4
      - id: numbers
        doc: "double precision"
        type: f8
        repeat: expr
        repeat-expr: "length"
  variant_packed_string_array:
    seq:
      - id: length
        type: s4
      - id: strings
        type: packed_string_array_strings
        repeat: expr
        repeat-expr: "(length > 0 ? length : 0)"
  variant_packed_vector2_array:
    params:
      - id: header
        type: s8
    seq:
      - id: length
        type: u4
      - id: vectors_f64
        if: "wide != 0"
        type: x_y_f64
        repeat: expr
        repeat-expr: "length"
      - id: vectors_f32
        if: "not (wide != 0)"
        type: x_y_f32
        repeat: expr
        repeat-expr: "length"
    instances:
      wide:
        value: "((header / 65536) & 1)"
  variant_packed_vector3_array:
    params:
      - id: header
        type: s8
    seq:
      - id: length
        type: u4
      - id: vectors_f64
        if: "wide != 0"
        type: x_y_z_f64
        repeat: expr
        repeat-expr: "length"
      - id: vectors_f32
        if: "not (wide != 0)"
        type: x_y_z_f32
        repeat: expr
        repeat-expr: "length"
    instances:
      wide:
        value: "((header / 65536) & 1)"
  variant_packed_color_array:
    seq:
      - id: length
        type: u4
      - id: colors
        doc: "red"
        type: r_g_b_a_f32
        repeat: expr
        repeat-expr: "length"
  variant_packed_vector4_array:
    params:
      - id: header
        type: s8
    seq:
      - id: length
        type: u4
      - id: vectors_f64
        if: "wide != 0"
        type: x_y_z_w_f64
        repeat: expr
        repeat-expr: "length"
      - id: vectors_f32
        if: "not (wide != 0)"
        type: x_y_z_w_f32
        repeat: expr
        repeat-expr: "length"
    instances:
      wide:
        value: "((header / 65536) & 1)"
  string:
    doc: "Text inside another value, without a header."
    seq:
      - id: length
        type: u4
      - id: text
        doc: "the text"
        type: str
        size: "length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - length % 4) % 4"
  object_properties:
    seq:
      - id: properties_name_length
        type: u4
      - id: name
        doc: "the text"
        type: str
        size: "properties_name_length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - properties_name_length % 4) % 4"
      - id: value
        doc: "its value, in this same format"
        type: variant
  container_type:
    params:
      - id: argument_0
        type: s8
    seq:
      - id: check
        size: "0"
        doc: "the number is that of a known type"
        valid:
          expr: "(arm >= 1 and arm <= 3)"
      - id: body
        type:
          switch-on: arm
          cases:
            1: container_type_builtin
            2: container_type_class
            3: container_type_script
    instances:
      arm:
        value: "argument_0"
  container_type_builtin:
    seq:
      - id: type
        type: u4
      - id: check
        size: "0"
        doc: "the number is that of a known type"
        valid:
          expr: "(type >= 0 and type <= 38)"
  container_type_class:
    seq:
      - id: name_length
        type: u4
      - id: name
        doc: "a native class"
        type: str
        size: "name_length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - name_length % 4) % 4"
  container_type_script:
    seq:
      - id: path_length
        type: u4
      - id: path
        doc: "path of a script"
        type: str
        size: "path_length"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - path_length % 4) % 4"
  packed_string_array_strings:
    seq:
      - id: strings_size
        type: u4
      - id: text
        doc: "the text and a NUL"
        type: str
        size: "strings_size"
        encoding: UTF-8
        terminator: 0
      - id: padding
        size: "(4 - strings_size % 4) % 4"
