//! The Rust example: the contract without a crate. Every entry point catches its panics.

#[path = "../../../template/rust/src/abi.rs"]
mod abi;
mod json;

use abi::{Bytes, Call, CallApi, Host, HostApi, Plugin, Status};
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

struct Example {
    calls: &'static CallApi,
}

/// One call as the handler sees it.
struct Scope<'a> {
    api: &'a CallApi,
    call: *mut Call,
}

fn checked(status: Status) -> Result<(), Status> {
    if status < 0 { Err(status) } else { Ok(()) }
}

impl Scope<'_> {
    fn arguments(&self) -> &[u8] {
        unsafe { (self.api.arguments)(self.call).view() }
    }

    fn progress(&self, done: f64, total: f64) -> Result<(), Status> {
        checked(unsafe { (self.api.progress)(self.call, done, total, Bytes::of(b"")) })
    }

    fn structured(&self, json: &str) -> Result<(), Status> {
        checked(unsafe { (self.api.json_begin)(self.call) })?;
        checked(unsafe { (self.api.json_raw)(self.call, Bytes::of(json.as_bytes())) })?;
        checked(unsafe { (self.api.json_end)(self.call) })
    }

    fn fail(&self, status: Status, code: &str, message: &str) -> Status {
        let (code, message) = (Bytes::of(code.as_bytes()), Bytes::of(message.as_bytes()));
        unsafe { (self.api.fail)(self.call, code, message, Bytes::of(b"")) };
        status
    }
}

fn word_count(scope: &Scope) -> Result<(), Status> {
    let arguments = scope.arguments();
    let text = json::member(arguments, "text").map(json::unescape).unwrap_or_default();
    let word = json::member(arguments, "word").map(json::unescape);
    let repeat = json::member(arguments, "repeat")
        .and_then(|number| std::str::from_utf8(number).ok()?.parse::<f64>().ok())
        .unwrap_or(1.0) as u32;
    if text.is_empty() {
        let sentence = "text is empty; give at least one word";
        return Err(scope.fail(abi::INVALID_ARGUMENT, "invalid_argument", sentence));
    }
    let once = text
        .split_ascii_whitespace()
        .filter(|found| word.as_deref().map_or(true, |wanted| *found == wanted))
        .count();
    for i in 1..=repeat {
        scope.progress(f64::from(i), f64::from(repeat))?;
    }
    scope.structured(&format!("{{\"words\":{}}}", once * repeat as usize))
}

/// Runs `body`; a panic becomes a failure instead of unwinding into the host.
fn guarded(body: impl FnOnce() -> Status) -> Status {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(abi::FAILED)
}

unsafe extern "C" fn create(api: *const HostApi, host: *mut Host, out: *mut *mut c_void) -> Status {
    guarded(|| {
        let calls = ((*api).service)(host, abi::CALL_SERVICE.as_ptr().cast());
        match (calls as *const CallApi).as_ref() {
            Some(calls) => {
                *out = Box::into_raw(Box::new(Example { calls })).cast();
                abi::OK
            }
            None => {
                let text = Bytes::of(b"this host has no gantry.call/1");
                ((*api).log)(host, abi::LOG_ERROR, text);
                abi::UNSUPPORTED
            }
        }
    })
}

unsafe extern "C" fn start(_: *mut c_void) -> Status {
    abi::OK
}

unsafe extern "C" fn invoke(this: *mut c_void, kind: Bytes, name: Bytes, call: *mut Call) -> Status {
    guarded(|| {
        let scope = Scope { api: (*this.cast::<Example>()).calls, call };
        match (kind.view(), name.view()) {
            (b"tool", b"word_count") => word_count(&scope).err().unwrap_or(abi::OK),
            (b"tool", _) => abi::NOT_FOUND,
            _ => abi::UNSUPPORTED,
        }
    })
}

unsafe extern "C" fn stop(_: *mut c_void, _deadline: u64) -> Status {
    abi::OK
}

unsafe extern "C" fn destroy(this: *mut c_void) {
    guarded(|| {
        drop(Box::from_raw(this.cast::<Example>()));
        abi::OK
    });
}

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static gantry_plugin_v1: Plugin = Plugin {
    magic: abi::MAGIC,
    minor: abi::MINOR,
    size: std::mem::size_of::<Plugin>(),
    create,
    start,
    invoke,
    stop,
    destroy,
};

// The manifest as an ELF note; the build composes it and passes its path in the environment.
const MANIFEST: &[u8] = include_bytes!(env!("GANTRY_MANIFEST"));
const PADDED: usize = (MANIFEST.len() + 3) & !3;

const fn padded() -> [u8; PADDED] {
    let mut out = [0; PADDED];
    let mut at = 0;
    while at < MANIFEST.len() {
        out[at] = MANIFEST[at];
        at += 1;
    }
    out
}

#[repr(C, align(4))]
pub struct Note {
    sizes_and_type: [u32; 3],
    owner: [u8; 8],
    body: [u8; PADDED],
}

#[used]
#[link_section = ".note.gantry"]
pub static MANIFEST_NOTE: Note =
    Note { sizes_and_type: [7, PADDED as u32, 1], owner: *b"GANTRY\0\0", body: padded() };
