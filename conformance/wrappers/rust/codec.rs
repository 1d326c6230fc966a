//! A small codec for five types of Godot 4.

pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(String),
}

/// Returns the N bytes at an offset.
fn take<const N: usize>(b: &[u8], at: usize) -> Result<[u8; N], String> {
    b.get(at..at + N).and_then(|x| x.try_into().ok()).ok_or_else(|| format!("byte {at}: needs {N} bytes"))
}

/// Returns the value at the start of a packet, and its length in bytes.
pub fn decode(b: &[u8]) -> Result<(Value, usize), String> {
    let header = u32::from_le_bytes(take(b, 0)?);
    let wide = header & 1 << 16 != 0;
    Ok(match header & 0xff {
        0 => (Value::Nil, 4),
        1 => (Value::Bool(u32::from_le_bytes(take(b, 4)?) != 0), 8),
        2 if wide => (Value::Int(i64::from_le_bytes(take(b, 4)?)), 12),
        2 => (Value::Int(i32::from_le_bytes(take(b, 4)?).into()), 8),
        3 if wide => (Value::Float(f64::from_le_bytes(take(b, 4)?)), 12),
        3 => (Value::Float(f32::from_le_bytes(take(b, 4)?).into()), 8),
        4 => {
            let n = u32::from_le_bytes(take(b, 4)?);
            let end = 8 + (u64::from(n) + 3 & !3);
            if end > b.len() as u64 {
                return Err(format!("byte 8: a text of {n} bytes does not fit"));
            }
            let text = b[8..8 + n as usize].split(|&x| x == 0).next().unwrap_or(&[]);
            let text = std::str::from_utf8(text).map_err(|e| format!("byte {}: not UTF-8", 8 + e.valid_up_to()))?;
            (Value::String(text.strip_prefix('\u{feff}').unwrap_or(text).to_string()), end as usize)
        }
        n => return Err(format!("byte 0: there is no type {n}")),
    })
}

/// Returns the packet of a value, in the shortest form.
pub fn encode(v: &Value) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut put = |header: u32, payload: &[u8]| {
        out.extend(header.to_le_bytes());
        out.extend(payload);
    };
    match v {
        Value::Nil => put(0, &[]),
        Value::Bool(x) => put(1, &u32::from(*x).to_le_bytes()),
        Value::Int(x) => match i32::try_from(*x) {
            Ok(narrow) => put(2, &narrow.to_le_bytes()),
            Err(_) => put(2 | 1 << 16, &x.to_le_bytes()),
        },
        Value::Float(x) if f64::from(*x as f32) == *x => put(3, &(*x as f32).to_le_bytes()),
        Value::Float(x) => put(3 | 1 << 16, &x.to_le_bytes()),
        Value::String(x) => {
            put(4, &(x.len() as u32).to_le_bytes());
            out.extend(x.as_bytes());
            out.resize((out.len() + 3) & !3, 0);
        }
    }
    Ok(out)
}
