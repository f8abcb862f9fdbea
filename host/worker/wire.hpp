// host/worker/wire.hpp: the frames between the host and a worker process, for both ends.
//
// A frame is a header of 24 bytes in the machine's byte order (both ends are this machine), then a
// body of fields: numbers as they are, texts with their length before them. Frames of a worker are
// a stranger's: BodyReader never reads beyond the body, and a body with anything too little or too
// much is no frame. Values and functions without state: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host::worker {

// With its header.
inline constexpr std::size_t kMaxFrame = 8U << 20U;
inline constexpr std::size_t kHeaderSize = 24;

// The comment of a type lists the fields of its body. In the header `call` names the call that the
// frame belongs to, and `request` the question that it asks or answers; 0: there is none.
enum class FrameType : std::uint16_t {
  // From the host.
  create = 1,   // Setup, see messages.hpp
  start,        // nothing
  stop,         // u64 deadline
  destroy,      // nothing
  invoke,       // Entry, see messages.hpp
  cancel,       // nothing
  reply,        // i32 status, then what the question's comment says
  nested_done,  // a started nested call has ended, named by its request: i32 status, parts

  // From the worker: its life.
  done = 64,  // i32 status, text reason (the worker's own): answers create, start, stop, destroy.
              // With request 0 it comes twice before the answer to create: the library is mapped
              // and its constructors have run; its thread-local memory is allocated
  // From the worker: its instance.
  log,      // i32 level, text
  offer,    // text JSON; asks
  secret,   // text name; asks: text bytes
  catalog,  // text kind, u8 explain, text name; asks: text JSON
  changed,  // u8 Change, text uri, text metadata; asks
  watched,  // nothing; asks: text JSON
  // From the worker: one call.
  returned,  // i32 status, then writes
  finish,    // i32 status, then writes
  write,     // writes; asks when it has a request: the status of the last one, u64 room
  progress,  // f64 done, f64 total, text note
  call_log,  // i32 level, text
  input,     // text key, text method, text params; asks: text answer
  keep,      // text state; asks
  task,      // u8 release; asks
  nested,    // u8 Nested, text kind, name, arguments, narrowing, splice; asks: u64 room, parts.
             // If Nested is start, the reply has no parts unless the call is refused
};

// Bodies of `write`, `returned` and `finish`: one after the other to the end.
enum class Write : std::uint8_t { write = 1, json_begin, json_raw, json_end, fail };
enum class Change : std::uint8_t { updated = 1, deleted, listed };
enum class Nested : std::uint8_t { call = 1, forward, start };

struct Header {
  std::uint32_t size = 0;  // of the whole frame
  FrameType type{};
  std::uint64_t call = 0, request = 0;
};

struct Frame {
  Header header;
  std::string_view body;  // points into memory of the object that gave it
};

// The fields alone, to be put into a frame later.
void append_text(std::string& to, std::string_view value);
template <class Number>
void append_number(std::string& to, Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Builds one frame; bytes() is the whole of it.
class FrameWriter {
 public:
  explicit FrameWriter(FrameType type, std::uint64_t call = 0, std::uint64_t request = 0);

  template <class Number>
  FrameWriter& number(Number value) {
    append_number(bytes_, value);
    return *this;
  }
  FrameWriter& text(std::string_view value);
  FrameWriter& raw(std::string_view fields) { return bytes_.append(fields), *this; }

  bool fits() const { return bytes_.size() <= kMaxFrame; }
  // Only what fits is sent.
  std::string& bytes();

 private:
  std::string bytes_;
};

// Reads fields in order. After the first field that is not there everything reads as nothing and
// ok() is false.
class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : rest_(body) {}

  template <class Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number>);
    Number value{};
    const std::string_view bytes = take(sizeof value);
    if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number<std::uint32_t>()); }

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  // Everything was there and nothing is left.
  bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size);

  std::string_view rest_;
  bool ok_ = true;
};

// The header at the beginning of `bytes`; nothing while it is not all there. The error says how the
// other end broke the rules.
Result<std::optional<Header>> read_header(std::string_view bytes);

}  // namespace gantry::host::worker
