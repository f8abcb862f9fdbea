//! The part of the contract that this plugin uses; `gantry/abi/*.h` documents it. A table may be
//! declared up to the last member used: tables only grow at the end and begin with their size.
#![allow(dead_code)]

use std::ffi::c_void;
use std::os::raw::c_char;

pub type Status = i32;
pub const OK: Status = 0;
pub const FAILED: Status = -1;
pub const INVALID_ARGUMENT: Status = -2;
pub const NOT_FOUND: Status = -3;
pub const UNSUPPORTED: Status = -9;

pub const MAGIC: u32 = 0x3154_4e47;
pub const MINOR: u32 = 0;
pub const LOG_ERROR: i32 = 3;
pub const CALL_SERVICE: &[u8] = b"gantry.call/1\0";

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
const _: () = assert!(std::mem::size_of::<HostApi>() == 32);
const _: () = assert!(std::mem::size_of::<CallApi>() == 72);
const _: () = assert!(std::mem::size_of::<Plugin>() == 56);

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::MaybeUninit;
    use std::ptr::addr_of;

    // std::mem::offset_of! is newer than the oldest supported compiler.
    macro_rules! offset {
        ($type:ty, $member:ident) => {{
            let place = MaybeUninit::<$type>::uninit();
            let base = place.as_ptr();
            (unsafe { addr_of!((*base).$member) } as usize) - base as usize
        }};
    }

    #[test]
    fn members_are_where_the_headers_put_them() {
        assert_eq!(offset!(HostApi, service), 16);
        assert_eq!(offset!(HostApi, log), 24);
        assert_eq!(offset!(CallApi, json_begin), 32);
        assert_eq!(offset!(CallApi, fail), 56);
        assert_eq!(offset!(CallApi, progress), 64);
        assert_eq!(offset!(Plugin, size), 8);
        assert_eq!(offset!(Plugin, create), 16);
        assert_eq!(offset!(Plugin, destroy), 48);
    }
}
