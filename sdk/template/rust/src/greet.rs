//! The tool `hello_rust_greet`: its function, independent of the host.

/// The answer as JSON. `arguments` is an object with one member, the string "name": the host has
/// validated it against the schema in manifest.json. The text between its quotes, escapes included,
/// is copied into the answer unchanged. For more members, use a JSON crate.
pub fn greet(arguments: &[u8]) -> Option<Vec<u8>> {
    let colon = arguments.iter().position(|byte| *byte == b':')?;
    let open = colon + arguments[colon..].iter().position(|byte| *byte == b'"')?;
    let close = arguments.iter().rposition(|byte| *byte == b'"')?;
    let name = arguments.get(open + 1..close)?;
    Some([br#"{"greeting":"Hello, "#, name, br#"!"}"#].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_person() {
        let answer = greet(br#"{"name":"Ada"}"#).unwrap();
        assert_eq!(answer, br#"{"greeting":"Hello, Ada!"}"#);
    }

    #[test]
    fn takes_every_name_as_it_is_written() {
        let answer = greet(br#"{ "name" : "a \"b\": }" }"#).unwrap();
        assert_eq!(answer, br#"{"greeting":"Hello, a \"b\": }!"}"#);
    }

    #[test]
    fn survives_what_the_host_would_have_refused() {
        for arguments in [&b""[..], b"{}", b"[1]", b":", br#"{"name":1}"#, br#"{"name":""#] {
            assert_eq!(greet(arguments), None);
        }
    }
}
