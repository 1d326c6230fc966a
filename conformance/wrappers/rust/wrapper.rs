//! The protocol of octable conform for Rust, around the codec in codec.rs:
//!
//!	cargo build --offline --config debian.toml
//!	octable conform -spec godot-4.4 -- target/debug/conform
//!
//! The crates are those of Debian's librust-serde-json-dev; "cargo build" alone takes those of crates.io.
//! For another codec, change the lines from CODEC to END.
use serde::Deserialize;
use serde_json::{json, Value as Json};
use std::io::{BufRead, Write};

// CODEC
mod codec;
use codec::{decode, encode, Value};

fn about() -> Json {
    json!({"protocol": 1, "name": "example", "language": "Rust", "ops": ["decode", "encode", "recode"],
        "specs": ["godot-4.4"], "types": ["Nil", "bool", "int", "float", "String"], "reals": "bits"})
}

/// Returns a value of the codec in the notation of values.
fn show(v: &Value) -> Json {
    match v {
        Value::Nil => Json::Null,
        Value::Bool(x) => json!(x),
        Value::Int(x) => json!({"$type": "int", "value": x.to_string()}),
        Value::Float(x) => json!({"$type": "float", "value": format!("bits:{:016x}", x.to_bits())}),
        Value::String(x) => json!({"$type": "String", "value": x}),
    }
}

/// Returns the value of the codec for one in the notation, or the feature that it lacks.
fn make(said: &Json) -> Result<Value, String> {
    let text = said["value"].as_str();
    let value = match said["$type"].as_str().unwrap_or("") {
        "Nil" => Some(Value::Nil),
        "bool" => said["value"].as_bool().map(Value::Bool),
        "int" => text.and_then(|x| x.parse().ok()).map(Value::Int),
        "float" => text.and_then(|x| u64::from_str_radix(x.strip_prefix("bits:")?, 16).ok()).map(|x| Value::Float(f64::from_bits(x))),
        "String" => text.map(|x| Value::String(x.to_string())), // bytes that are not UTF-8 have no value
        _ => None,
    };
    value.ok_or_else(|| format!("the codec has no value for {said}"))
}
// END

fn answer(request: &Json) -> Result<Json, String> {
    let digits = request["bytes"].as_str().unwrap_or("");
    let packet: Vec<u8> = (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap()).collect();
    let written = |b: Vec<u8>| json!({"ok": true, "bytes": b.iter().map(|x| format!("{x:02x}")).collect::<String>()});
    match request["op"].as_str().unwrap_or("") {
        "hello" => Ok(json!({"hello": about()})),
        "decode" => decode(&packet).map(|(v, used)| json!({"ok": true, "value": show(&v), "used": used})),
        "recode" => encode(&decode(&packet)?.0).map(written),
        "encode" => make(&request["value"]).map_or_else(|lacks| Ok(json!({"unsupported": lacks})), |v| encode(&v).map(written)),
        op => Ok(json!({"unsupported": format!("the operation {op}")})),
    }
}

fn serve() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is not UTF-8");
        let mut reader = serde_json::Deserializer::from_str(&line);
        reader.disable_recursion_limit(); // values may be nested 1024 deep, and JSON of them three times that
        let request = Json::deserialize(&mut reader).expect("a request is not JSON");
        let said = std::panic::catch_unwind(|| answer(&request)).unwrap_or_else(|_| Err("it panics".to_string()));
        let mut said = said.unwrap_or_else(|error| json!({ "error": error }));
        said["id"] = request["id"].clone();
        println!("{said}");
        std::io::stdout().flush().expect("standard output is closed");
    }
}

fn main() {
    std::thread::Builder::new().stack_size(512 << 20).spawn(serve).unwrap().join().unwrap();
}
