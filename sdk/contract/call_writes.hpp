// sdk/contract/call_writes.hpp: the order and the limit of the writes of one call.
//
// They hold no text: each host of plugins keeps the output in a form of its own. Not locked: the
// contract allows one thread at a time to write to a call.
#pragma once

#include <cstddef>
#include <string_view>

namespace gantry::contract {

// The part in which a plugin tells the host alone why it refuses a call, by write(): a word such as
// "class_filter". It is for the audit record and reaches no caller.
inline constexpr std::string_view kDenialPart = "gantry/denial";
// At most 64 of [a-z_].
bool is_denial_cause(std::string_view text);

// The part in which a plugin adds to the audit record of a client's call, by write(): one JSON
// object without values of arguments. It reaches no caller.
inline constexpr std::string_view kAuditPart = "gantry/audit";
// The limit of all such objects of one call together, in bytes.
inline constexpr std::size_t kMostAuditBytes = std::size_t{4} << 10U;

// The part in which a plugin tells the host of something that it asked of another program, by
// write(): one span as a JSON object. It reaches no caller.
inline constexpr std::string_view kSpanPart = "gantry/span";
// The limit of one such object, in bytes.
inline constexpr std::size_t kMostSpanBytes = std::size_t{4} << 10U;

// The structured result of a call: begin once, any number of parts, end once. Each function returns
// the rule that the plugin breaks (GANTRY_MISUSE), or an empty text.
class JsonOrder {
 public:
  std::string_view begin();
  std::string_view add() const;
  std::string_view end();
  // The rule that a call breaks that ends now.
  std::string_view broken_at_end() const;

  // Before the first write of a call, and after fail().
  void reset() { state_ = State::none; }
  bool is_open() const { return state_ == State::open; }
  bool is_done() const { return state_ == State::done; }

 private:
  enum class State : char { none, open, done };
  State state_ = State::none;
};

// The bytes that a call may write.
class WriteLimit {
 public:
  // Bytes around the text of a content block, and the most bytes to which JSON escapes one byte.
  static constexpr std::size_t kBlockFrame = sizeof(R"({"type":"text","text":""})") - 1;
  static constexpr std::size_t kMostEscaped = 6;
  // An upper bound of the bytes that a text of `size` bytes counts for in a tool's answer, where it
  // counts as it is sent: escaped, with its frame, and with a comma.
  static constexpr std::size_t most_of_text(std::size_t size) {
    return kMostEscaped * size + kBlockFrame + 1;
  }

  // At most `cap` bytes may be written from here on.
  void reset(std::size_t cap) { cap_ = cap, restart(); }
  // fail(): the output so far does not count.
  void restart() { used_ = 0, overflowed_ = false; }

  // Counts `bytes` more. False when they do not fit: nothing is counted (GANTRY_TOO_BIG).
  bool take(std::size_t bytes) {
    if (!fits(bytes)) return overflowed_ = true, false;
    used_ += bytes;
    return true;
  }
  bool fits(std::size_t bytes) const { return bytes <= cap_ - used_; }
  std::size_t room() const { return cap_ - used_; }
  // take() has failed since the last reset() or restart().
  bool overflowed() const { return overflowed_; }

 private:
  std::size_t cap_ = 0, used_ = 0;
  bool overflowed_ = false;
};

}  // namespace gantry::contract
