/* Describes the contract as the compiler sees it, one line for each fact. The types given to MEMBER
 * are checked by the compiler: a changed signature does not compile. */
#include <gantry/abi/abi.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
#include <type_traits>
#define SAME(owner, name, ...) \
  static_assert(std::is_same<decltype(owner::name), __VA_ARGS__>::value, #owner "." #name)
#else
#define SAME(owner, name, ...)                                                             \
  _Static_assert(__builtin_types_compatible_p(__typeof__(((owner*)0)->name), __VA_ARGS__), \
                 #owner "." #name)
#endif

#define STRUCT(owner) printf("%s size %zu\n", #owner, sizeof(owner))
#define MEMBER(owner, name, ...)                                                      \
  SAME(owner, name, __VA_ARGS__);                                                     \
  printf("%s.%s offset %zu size %zu type %s\n", #owner, #name, offsetof(owner, name), \
         sizeof(((owner*)0)->name), #__VA_ARGS__)
#define NUMBER(name) printf("%s %lld\n", #name, (long long)(name))
#define TEXT(name) printf("%s %s\n", #name, name)

static void show_gantry_bytes(void) {
  STRUCT(gantry_bytes);
  MEMBER(gantry_bytes, data, const char*);
  MEMBER(gantry_bytes, size, size_t);
}

static void show_gantry_sink(void) {
  STRUCT(gantry_sink);
  MEMBER(gantry_sink, write, void (*)(void* context, gantry_bytes part));
  MEMBER(gantry_sink, context, void*);
}

static void show_gantry_call_api(void) {
  STRUCT(gantry_call_api);
  MEMBER(gantry_call_api, size, size_t);
  MEMBER(gantry_call_api, arguments, gantry_bytes(*)(const gantry_call* call));
  MEMBER(gantry_call_api, property, gantry_bytes(*)(const gantry_call* call, gantry_bytes key));
  MEMBER(gantry_call_api, write,
         gantry_status(*)(gantry_call * call, gantry_bytes type, gantry_bytes body));
  MEMBER(gantry_call_api, json_begin, gantry_status(*)(gantry_call * call));
  MEMBER(gantry_call_api, json_raw, gantry_status(*)(gantry_call * call, gantry_bytes part));
  MEMBER(gantry_call_api, json_end, gantry_status(*)(gantry_call * call));
  MEMBER(gantry_call_api, fail,
         gantry_status(*)(gantry_call * call, gantry_bytes code, gantry_bytes message,
                          gantry_bytes details));
  MEMBER(gantry_call_api, progress,
         gantry_status(*)(gantry_call * call, double done, double total, gantry_bytes note));
  MEMBER(gantry_call_api, log,
         gantry_status(*)(gantry_call * call, int32_t level, gantry_bytes text));
  MEMBER(gantry_call_api, cancelled, int32_t(*)(const gantry_call* call));
  MEMBER(gantry_call_api, on_cancel,
         gantry_status(*)(gantry_call * call, void (*fn)(void* context), void* context));
  MEMBER(gantry_call_api, deadline, uint64_t(*)(const gantry_call* call));
  MEMBER(gantry_call_api, finish, gantry_status(*)(gantry_call * call, gantry_status status));
  MEMBER(gantry_call_api, off_cancel,
         gantry_status(*)(gantry_call * call, void (*fn)(void* context), void* context));
}

static void show_gantry_catalog_api(void) {
  STRUCT(gantry_catalog_api);
  MEMBER(gantry_catalog_api, size, size_t);
  MEMBER(gantry_catalog_api, items,
         gantry_status(*)(gantry_host * host, gantry_call * call, gantry_bytes kind,
                          gantry_sink sink));
  MEMBER(gantry_catalog_api, explain,
         gantry_status(*)(gantry_host * host, gantry_call * call, gantry_bytes kind,
                          gantry_bytes name, gantry_sink sink));
}

static void show_gantry_config_api(void) {
  STRUCT(gantry_config_api);
  MEMBER(gantry_config_api, size, size_t);
  MEMBER(gantry_config_api, get, gantry_bytes(*)(gantry_host * host));
}

static void show_gantry_events_api(void) {
  STRUCT(gantry_events_api);
  MEMBER(gantry_events_api, size, size_t);
  MEMBER(gantry_events_api, updated,
         gantry_status(*)(gantry_host * host, gantry_bytes uri, gantry_bytes metadata));
  MEMBER(gantry_events_api, deleted,
         gantry_status(*)(gantry_host * host, gantry_bytes uri, gantry_bytes metadata));
  MEMBER(gantry_events_api, list_changed, gantry_status(*)(gantry_host * host));
  MEMBER(gantry_events_api, watched, gantry_status(*)(gantry_host * host, gantry_sink sink));
}

static void show_gantry_host_api(void) {
  STRUCT(gantry_host_api);
  MEMBER(gantry_host_api, size, size_t);
  MEMBER(gantry_host_api, minor, uint32_t);
  MEMBER(gantry_host_api, reserved, uint32_t);
  MEMBER(gantry_host_api, service, const void* (*)(gantry_host * host, const char* id));
  MEMBER(gantry_host_api, log, void (*)(gantry_host * host, int32_t level, gantry_bytes text));
  MEMBER(gantry_host_api, offer, gantry_status(*)(gantry_host * host, gantry_bytes json));
}

static void show_gantry_input_api(void) {
  STRUCT(gantry_input_api);
  MEMBER(gantry_input_api, size, size_t);
  MEMBER(gantry_input_api, request,
         gantry_status(*)(gantry_call * call, gantry_bytes key, gantry_bytes method,
                          gantry_bytes params, gantry_bytes * answer));
  MEMBER(gantry_input_api, state, gantry_bytes(*)(const gantry_call* call));
  MEMBER(gantry_input_api, keep, gantry_status(*)(gantry_call * call, gantry_bytes state));
}

static void show_gantry_answer(void) {
  STRUCT(gantry_answer);
  MEMBER(gantry_answer, part, void (*)(void* context, gantry_bytes type, gantry_bytes body));
  MEMBER(gantry_answer, context, void*);
}

static void show_gantry_invocation(void) {
  STRUCT(gantry_invocation);
  MEMBER(gantry_invocation, size, size_t);
  MEMBER(gantry_invocation, kind, gantry_bytes);
  MEMBER(gantry_invocation, name, gantry_bytes);
  MEMBER(gantry_invocation, arguments, gantry_bytes);
  MEMBER(gantry_invocation, narrowing, gantry_bytes);
}

static void show_gantry_invoke_api(void) {
  STRUCT(gantry_invoke_api);
  MEMBER(gantry_invoke_api, size, size_t);
  MEMBER(gantry_invoke_api, call,
         gantry_status(*)(gantry_host * host, gantry_call * parent, const gantry_invocation* what,
                          gantry_answer answer));
  MEMBER(gantry_invoke_api, forward,
         gantry_status(*)(gantry_host * host, gantry_call * parent, const gantry_invocation* what,
                          gantry_bytes splice, gantry_answer answer));
  MEMBER(gantry_invoke_api, start,
         gantry_status(*)(gantry_host * host, gantry_call * parent, const gantry_invocation* what,
                          gantry_answer answer, void (*done)(void* context, gantry_status status),
                          void* context));
}

static void show_gantry_plugin(void) {
  STRUCT(gantry_plugin);
  MEMBER(gantry_plugin, magic, uint32_t);
  MEMBER(gantry_plugin, minor, uint32_t);
  MEMBER(gantry_plugin, size, size_t);
  MEMBER(gantry_plugin, create,
         gantry_status(*)(const gantry_host_api* api, gantry_host* host, void** self));
  MEMBER(gantry_plugin, start, gantry_status(*)(void* self));
  MEMBER(gantry_plugin, invoke,
         gantry_status(*)(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call));
  MEMBER(gantry_plugin, stop, gantry_status(*)(void* self, uint64_t deadline));
  MEMBER(gantry_plugin, destroy, void (*)(void* self));
}

static void show_gantry_secret_api(void) {
  STRUCT(gantry_secret_api);
  MEMBER(gantry_secret_api, size, size_t);
  MEMBER(gantry_secret_api, read,
         gantry_status(*)(gantry_host * host, gantry_bytes name, gantry_sink sink));
}

static void show_gantry_task_api(void) {
  STRUCT(gantry_task_api);
  MEMBER(gantry_task_api, size, size_t);
  MEMBER(gantry_task_api, begin, gantry_status(*)(gantry_call * call));
  MEMBER(gantry_task_api, release, gantry_status(*)(gantry_call * call));
}

static void show_constants(void) {
  TEXT(GANTRY_CALL_SERVICE);
  TEXT(GANTRY_CATALOG_SERVICE);
  TEXT(GANTRY_CONFIG_SERVICE);
  TEXT(GANTRY_EVENTS_SERVICE);
  NUMBER(GANTRY_LOG_EMERGENCY);
  NUMBER(GANTRY_LOG_ALERT);
  NUMBER(GANTRY_LOG_CRITICAL);
  NUMBER(GANTRY_LOG_ERROR);
  NUMBER(GANTRY_LOG_WARNING);
  NUMBER(GANTRY_LOG_NOTICE);
  NUMBER(GANTRY_LOG_INFO);
  NUMBER(GANTRY_LOG_DEBUG);
  TEXT(GANTRY_INPUT_SERVICE);
  TEXT(GANTRY_INVOKE_SERVICE);
  TEXT(GANTRY_NOTE_OWNER);
  NUMBER(GANTRY_NOTE_TYPE);
  NUMBER(GANTRY_MAGIC);
  TEXT(GANTRY_SECRET_SERVICE);
  TEXT(GANTRY_TASK_SERVICE);
  NUMBER(GANTRY_OK);
  NUMBER(GANTRY_PENDING);
  NUMBER(GANTRY_INPUT_REQUIRED);
  NUMBER(GANTRY_FAILED);
  NUMBER(GANTRY_INVALID_ARGUMENT);
  NUMBER(GANTRY_NOT_FOUND);
  NUMBER(GANTRY_DENIED);
  NUMBER(GANTRY_CANCELLED);
  NUMBER(GANTRY_TIMED_OUT);
  NUMBER(GANTRY_BUSY);
  NUMBER(GANTRY_TOO_BIG);
  NUMBER(GANTRY_UNSUPPORTED);
  NUMBER(GANTRY_STOPPING);
  NUMBER(GANTRY_MISUSE);
  NUMBER(GANTRY_ABI_MAJOR);
  NUMBER(GANTRY_ABI_MINOR);
}

int main(void) {
  show_gantry_bytes();
  show_gantry_sink();
  show_gantry_call_api();
  show_gantry_catalog_api();
  show_gantry_config_api();
  show_gantry_events_api();
  show_gantry_host_api();
  show_gantry_input_api();
  show_gantry_answer();
  show_gantry_invocation();
  show_gantry_invoke_api();
  show_gantry_plugin();
  show_gantry_secret_api();
  show_gantry_task_api();
  show_constants();
  return 0;
}
