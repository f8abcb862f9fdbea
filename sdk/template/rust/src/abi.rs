//! The contract of plugins, version 1: the tables and constants of `gantry/abi/*.h`, which document
//! them. A table begins with its size as the host knows it and only grows at the end: before using a
//! member that is newer than your oldest host, compare the size.
#![allow(dead_code)]

use std::ffi::c_void;
use std::os::raw::c_char;

pub type Status = i32;
pub const OK: Status = 0;
pub const PENDING: Status = 1;
pub const INPUT_REQUIRED: Status = 2;
pub const FAILED: Status = -1;
pub const INVALID_ARGUMENT: Status = -2;
pub const NOT_FOUND: Status = -3;
pub const DENIED: Status = -4;
pub const CANCELLED: Status = -5;
pub const TIMED_OUT: Status = -6;
pub const BUSY: Status = -7;
pub const TOO_BIG: Status = -8;
pub const UNSUPPORTED: Status = -9;
pub const STOPPING: Status = -10;
pub const MISUSE: Status = -11;

pub const MAGIC: u32 = 0x3154_4e47;
pub const MAJOR: u32 = 1;
pub const MINOR: u32 = 0;

pub const LOG_EMERGENCY: i32 = 0;
pub const LOG_ALERT: i32 = 1;
pub const LOG_CRITICAL: i32 = 2;
pub const LOG_ERROR: i32 = 3;
pub const LOG_WARNING: i32 = 4;
pub const LOG_NOTICE: i32 = 5;
pub const LOG_INFO: i32 = 6;
pub const LOG_DEBUG: i32 = 7;

/// Names of services for `HostApi::service`; the manifest's `needs` or `wants` must have them.
pub const CALL_SERVICE: &[u8] = b"gantry.call/1\0";
pub const CATALOG_SERVICE: &[u8] = b"gantry.catalog/1\0";
pub const CONFIG_SERVICE: &[u8] = b"gantry.config/1\0";
pub const EVENTS_SERVICE: &[u8] = b"gantry.events/1\0";
pub const INPUT_SERVICE: &[u8] = b"gantry.input/1\0";
pub const INVOKE_SERVICE: &[u8] = b"gantry.invoke/1\0";
pub const SECRET_SERVICE: &[u8] = b"gantry.secret/1\0";
pub const TASK_SERVICE: &[u8] = b"gantry.task/1\0";

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub data: *const u8,
    pub size: usize,
}

impl Bytes {
    pub fn of(text: &[u8]) -> Bytes {
        Bytes { data: text.as_ptr(), size: text.len() }
    }

    /// # Safety
    /// The giver keeps the bytes for as long as `'a`.
    pub unsafe fn view<'a>(self) -> &'a [u8] {
        if self.size == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(self.data, self.size)
        }
    }
}

/// Receives bytes, in one part or several.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sink {
    pub write: unsafe extern "C" fn(*mut c_void, Bytes),
    pub context: *mut c_void,
}

/// Opaque to a plugin.
pub enum Host {}
pub enum Call {}

#[repr(C)]
pub struct HostApi {
    pub size: usize,
    pub minor: u32,
    pub reserved: u32,
    pub service: unsafe extern "C" fn(*mut Host, *const c_char) -> *const c_void,
    pub log: unsafe extern "C" fn(*mut Host, i32, Bytes),
    pub offer: unsafe extern "C" fn(*mut Host, Bytes) -> Status,
}

#[repr(C)]
pub struct CallApi {
    pub size: usize,
    pub arguments: unsafe extern "C" fn(*const Call) -> Bytes,
    pub property: unsafe extern "C" fn(*const Call, Bytes) -> Bytes,
    pub write: unsafe extern "C" fn(*mut Call, Bytes, Bytes) -> Status,
    pub json_begin: unsafe extern "C" fn(*mut Call) -> Status,
    pub json_raw: unsafe extern "C" fn(*mut Call, Bytes) -> Status,
    pub json_end: unsafe extern "C" fn(*mut Call) -> Status,
    pub fail: unsafe extern "C" fn(*mut Call, Bytes, Bytes, Bytes) -> Status,
    pub progress: unsafe extern "C" fn(*mut Call, f64, f64, Bytes) -> Status,
    pub log: unsafe extern "C" fn(*mut Call, i32, Bytes) -> Status,
    pub cancelled: unsafe extern "C" fn(*const Call) -> i32,
    pub on_cancel: unsafe extern "C" fn(*mut Call, OnCancel, *mut c_void) -> Status,
    pub deadline: unsafe extern "C" fn(*const Call) -> u64,
    pub finish: unsafe extern "C" fn(*mut Call, Status) -> Status,
    pub off_cancel: unsafe extern "C" fn(*mut Call, OnCancel, *mut c_void) -> Status,
}
pub type OnCancel = unsafe extern "C" fn(*mut c_void);

#[repr(C)]
pub struct CatalogApi {
    pub size: usize,
    pub items: unsafe extern "C" fn(*mut Host, *mut Call, Bytes, Sink) -> Status,
    pub explain: unsafe extern "C" fn(*mut Host, *mut Call, Bytes, Bytes, Sink) -> Status,
}

#[repr(C)]
pub struct ConfigApi {
    pub size: usize,
    pub get: unsafe extern "C" fn(*mut Host) -> Bytes,
}

#[repr(C)]
pub struct EventsApi {
    pub size: usize,
    pub updated: unsafe extern "C" fn(*mut Host, Bytes, Bytes) -> Status,
    pub deleted: unsafe extern "C" fn(*mut Host, Bytes, Bytes) -> Status,
    pub list_changed: unsafe extern "C" fn(*mut Host) -> Status,
    pub watched: unsafe extern "C" fn(*mut Host, Sink) -> Status,
}

#[repr(C)]
pub struct InputApi {
    pub size: usize,
    pub request: unsafe extern "C" fn(*mut Call, Bytes, Bytes, Bytes, *mut Bytes) -> Status,
    pub state: unsafe extern "C" fn(*const Call) -> Bytes,
    pub keep: unsafe extern "C" fn(*mut Call, Bytes) -> Status,
}

/// Receives the parts of another item's answer: their types and bodies.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Answer {
    pub part: unsafe extern "C" fn(*mut c_void, Bytes, Bytes),
    pub context: *mut c_void,
}

#[repr(C)]
pub struct Invocation {
    pub size: usize,
    pub kind: Bytes,
    pub name: Bytes,
    pub arguments: Bytes,
    pub narrowing: Bytes,
}

#[repr(C)]
pub struct InvokeApi {
    pub size: usize,
    pub call: unsafe extern "C" fn(*mut Host, *mut Call, *const Invocation, Answer) -> Status,
    pub forward:
        unsafe extern "C" fn(*mut Host, *mut Call, *const Invocation, Bytes, Answer) -> Status,
    pub start: unsafe extern "C" fn(
        *mut Host,
        *mut Call,
        *const Invocation,
        Answer,
        unsafe extern "C" fn(*mut c_void, Status),
        *mut c_void,
    ) -> Status,
}

#[repr(C)]
pub struct SecretApi {
    pub size: usize,
    pub read: unsafe extern "C" fn(*mut Host, Bytes, Sink) -> Status,
}

#[repr(C)]
pub struct TaskApi {
    pub size: usize,
    pub begin: unsafe extern "C" fn(*mut Call) -> Status,
    pub release: unsafe extern "C" fn(*mut Call) -> Status,
}

#[repr(C)]
pub struct Plugin {
    pub magic: u32,
    pub minor: u32,
    pub size: usize,
    pub create: unsafe extern "C" fn(*const HostApi, *mut Host, *mut *mut c_void) -> Status,
    pub start: unsafe extern "C" fn(*mut c_void) -> Status,
    pub invoke: unsafe extern "C" fn(*mut c_void, Bytes, Bytes, *mut Call) -> Status,
    pub stop: unsafe extern "C" fn(*mut c_void, u64) -> Status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
}

// The layout on 64-bit Linux, checked at compile time.
const _: () = assert!(std::mem::size_of::<Bytes>() == 16);
const _: () = assert!(std::mem::size_of::<HostApi>() == 40);
const _: () = assert!(std::mem::size_of::<CallApi>() == 120);
const _: () = assert!(std::mem::size_of::<Plugin>() == 56);
