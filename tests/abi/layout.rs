//! Prints the Rust mirror of the contract in the form of layout.txt, without the types.
#[path = "../../sdk/template/rust/src/abi.rs"]
mod abi;

use std::mem::{size_of, MaybeUninit};
use std::ptr::addr_of;

fn size_of_member<T, M>(_: fn(*const T) -> *const M) -> usize {
    size_of::<M>()
}

macro_rules! table {
    ($c_name:literal, $type:ident: $($member:ident)*) => {
        println!("{} size {}", $c_name, size_of::<abi::$type>());
        $(
            let place = MaybeUninit::<abi::$type>::uninit();
            let base = place.as_ptr();
            let offset = unsafe { addr_of!((*base).$member) } as usize - base as usize;
            let size = size_of_member(|at: *const abi::$type| unsafe { addr_of!((*at).$member) });
            println!("{}.{} offset {} size {}", $c_name, stringify!($member), offset, size);
        )*
    };
}

macro_rules! numbers {
    ($($name:ident)*) => { $( println!("GANTRY_{} {}", stringify!($name), abi::$name); )* };
}

macro_rules! names {
    ($($name:ident)*) => {
        $( println!("GANTRY_{} {}", stringify!($name),
                    std::str::from_utf8(abi::$name).unwrap().trim_end_matches('\0')); )*
    };
}

fn main() {
    table!("gantry_bytes", Bytes: data size);
    table!("gantry_sink", Sink: write context);
    table!("gantry_call_api", CallApi: size arguments property write json_begin json_raw json_end
           fail progress log cancelled on_cancel deadline finish off_cancel);
    table!("gantry_catalog_api", CatalogApi: size items explain);
    table!("gantry_config_api", ConfigApi: size get);
    table!("gantry_events_api", EventsApi: size updated deleted list_changed watched);
    table!("gantry_host_api", HostApi: size minor reserved service log offer);
    table!("gantry_input_api", InputApi: size request state keep);
    table!("gantry_answer", Answer: part context);
    table!("gantry_invocation", Invocation: size kind name arguments narrowing);
    table!("gantry_invoke_api", InvokeApi: size call forward start);
    table!("gantry_plugin", Plugin: magic minor size create start invoke stop destroy);
    table!("gantry_secret_api", SecretApi: size read);
    table!("gantry_task_api", TaskApi: size begin release);
    numbers!(LOG_EMERGENCY LOG_ALERT LOG_CRITICAL LOG_ERROR LOG_WARNING LOG_NOTICE LOG_INFO
             LOG_DEBUG MAGIC OK PENDING INPUT_REQUIRED FAILED INVALID_ARGUMENT NOT_FOUND DENIED
             CANCELLED TIMED_OUT BUSY TOO_BIG UNSUPPORTED STOPPING MISUSE);
    println!("GANTRY_ABI_MAJOR {}\nGANTRY_ABI_MINOR {}", abi::MAJOR, abi::MINOR);
    names!(CALL_SERVICE CATALOG_SERVICE CONFIG_SERVICE EVENTS_SERVICE INPUT_SERVICE INVOKE_SERVICE
           SECRET_SERVICE TASK_SERVICE);
}
