//! The JSON parsing that the example needs: members of an object that the host has validated.

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn skip_string(text: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn skip_value(text: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = skip_string(text, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b',' if depth == 0 => return at,
            byte if depth == 0 && is_space(byte) => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The text of the member `name`.
pub fn member<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut at = 1;
    loop {
        while at < object.len() && (is_space(object[at]) || object[at] == b',') {
            at += 1;
        }
        if at >= object.len() || object[at] != b'"' {
            return None;
        }
        let key_end = skip_string(object, at);
        let key = &object[at + 1..key_end - 1];
        let mut value = key_end;
        while value < object.len() && (is_space(object[value]) || object[value] == b':') {
            value += 1;
        }
        let end = skip_value(object, value);
        if key == name.as_bytes() {
            return Some(&object[value..end]);
        }
        at = end;
    }
}

fn hex4(digits: &[u8]) -> u32 {
    std::str::from_utf8(digits).ok().and_then(|text| u32::from_str_radix(text, 16).ok()).unwrap_or(0)
}

/// The characters of a string as written, escapes resolved.
pub fn unescape(written: &[u8]) -> String {
    let body = &written[1..written.len() - 1];
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        if body[at] != b'\\' {
            out.push(body[at]);
            at += 1;
            continue;
        }
        let escape = body[at + 1];
        at += 2;
        match escape {
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let mut code = hex4(&body[at..at + 4]);
                at += 4;
                if (0xd800..0xdc00).contains(&code) {
                    code = 0x10000 + ((code - 0xd800) << 10) + (hex4(&body[at + 2..at + 6]) - 0xdc00);
                    at += 6;
                }
                let character = char::from_u32(code).unwrap_or('\u{fffd}');
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => out.push(other),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
