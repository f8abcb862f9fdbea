//! The plugin's entry points. The host sees only the table at the end. Every entry point catches
//! its panics.

mod abi;
mod greet;

use abi::{Bytes, Call, CallApi, Host, HostApi, Plugin, Status};
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

struct Greeter {
    calls: &'static CallApi,
}

impl Greeter {
    unsafe fn greet(&self, call: *mut Call) -> Result<(), Status> {
        let arguments = (self.calls.arguments)(call).view();
        let answer = greet::greet(arguments).ok_or(abi::INVALID_ARGUMENT)?;
        checked((self.calls.json_begin)(call))?;
        checked((self.calls.json_raw)(call, Bytes::of(&answer)))?;
        checked((self.calls.json_end)(call))
    }
}

fn checked(status: Status) -> Result<(), Status> {
    if status < 0 { Err(status) } else { Ok(()) }
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
                *out = Box::into_raw(Box::new(Greeter { calls })).cast();
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
    guarded(|| match (kind.view(), name.view()) {
        (b"tool", b"hello_rust_greet") => {
            (*this.cast::<Greeter>()).greet(call).err().unwrap_or(abi::OK)
        }
        (b"tool", _) => abi::NOT_FOUND,
        _ => abi::UNSUPPORTED,
    })
}

unsafe extern "C" fn stop(_: *mut c_void, _deadline: u64) -> Status {
    abi::OK
}

unsafe extern "C" fn destroy(this: *mut c_void) {
    guarded(|| {
        drop(Box::from_raw(this.cast::<Greeter>()));
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

// The manifest as an ELF note, which the host reads without running anything.
const MANIFEST: &[u8] = include_bytes!("../manifest.json");
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
