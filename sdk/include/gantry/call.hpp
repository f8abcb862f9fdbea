// gantry/call.hpp: one call, seen by the handler that answers it.
//
//   CallView     what can be done with a call; a view, valid until the call ends
//   Call         the call a handler was entered with
//   PendingCall  a call taken out of its handler with Call::defer(), to be finished later
//
// Owns: nothing crosses; text is copied by the host. Errors: a Status of GANTRY_CANCELLED means
// nobody waits any more: stop working. Threads: writes from any thread, one at a time for a call;
// progress, log, cancelled, on_cancel and the getters from any thread at any time.
#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/abi/call.h>
#include <gantry/bytes.hpp>
#include <gantry/detail/cancel_hooks.hpp>
#include <gantry/fields.hpp>
#include <gantry/host.hpp>

namespace gantry {

// The error code a client sees for a status; the codes are listed in ABI.md.
constexpr std::string_view error_code(gantry_status status) {
  switch (status) {
    case GANTRY_INVALID_ARGUMENT:
    case GANTRY_TOO_BIG:
      return "invalid_argument";
    case GANTRY_NOT_FOUND:
      return "not_found";
    case GANTRY_DENIED:
      return "access_denied";
    case GANTRY_CANCELLED:
      return "cancelled";
    case GANTRY_TIMED_OUT:
      return "timeout";
    default:
      return "internal_error";
  }
}

// Keeps a callback registered; taking it down is safe at any time, also while the callback runs.
class [[nodiscard]] CancelHook {
 public:
  CancelHook() = default;
  explicit CancelHook(void* number) : number_(number) {}
  CancelHook(CancelHook&& other) noexcept : number_(std::exchange(other.number_, nullptr)) {}
  CancelHook& operator=(CancelHook&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~CancelHook() {
    if (number_ != nullptr) detail::CancelHooks::of_this_library().remove(number_);
  }

 private:
  friend class CallView;
  void* number_ = nullptr;
};

class CallView {
 public:
  CallView(Host host, const gantry_call_api& api, gantry_call* call)
      : host_(host), api_(&api), call_(call) {}

  // The arguments as the client wrote them: a JSON object. Valid until the call ends.
  std::string_view arguments() const { return to_view(api_->arguments(call_)); }
  // The arguments read into a described struct.
  template <Described T>
  Result<T> arguments_as() const {
    Result<Json> json = Json::parse(arguments());
    if (!json) return json.status();
    return read<T>(*json);
  }

  // A fact about the call, "" when the host does not know the key; see gantry_call_api.property.
  std::string_view property(std::string_view key) const {
    return to_view(api_->property(call_, to_bytes(key)));
  }
  // The caller: a JSON object {name, permissions, user?, role?, tenant_id?, depth}.
  std::string_view agent() const { return property("agent"); }

  bool cancelled() const { return api_->cancelled(call_) != 0; }
  // When the call must be done; empty = never.
  std::optional<std::chrono::steady_clock::time_point> deadline() const {
    const std::uint64_t at = api_->deadline(call_);
    if (at == 0) return {};
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(at));
  }

  // Content of a tool's answer: text, an image or sound ("image/png", raw bytes), or one whole MCP
  // content block as JSON.
  Status text(std::string_view text) const { return part("text", text); }
  Status media(std::string_view mime_type, std::string_view bytes) const {
    return part(mime_type, bytes);
  }
  Status block(std::string_view json) const { return part("block", json); }
  // One part of a service's answer.
  Status part(std::string_view type, std::string_view body) const {
    return checked(api_->write(call_, to_bytes(type), to_bytes(body)), "writing the answer");
  }

  // The structured result: one JSON object, whole or in pieces (begin once, raw …, end once).
  Status structured(std::string_view json) const {
    if (Status status = begin_structured(); !status) return status;
    if (Status status = raw(json); !status) return status;
    return end_structured();
  }
  Status begin_structured() const {
    return checked(api_->json_begin(call_), "beginning the structured result");
  }
  Status raw(std::string_view json) const {
    return checked(api_->json_raw(call_, to_bytes(json)), "writing the structured result");
  }
  Status end_structured() const {
    return checked(api_->json_end(call_), "ending the structured result");
  }

  // Makes the answer an error; drops what was written. `details` is a JSON object or empty.
  // Returns the status to end the handler with; it has no sentence, for all has been said.
  Status fail(std::string_view code, std::string_view message,
              std::string_view details = {}) const {
    api_->fail(call_, to_bytes(code), to_bytes(message), to_bytes(details));
    return Status(GANTRY_FAILED, {});
  }

  // `total` 0 = unknown. A failed Status means: stop now.
  Status progress(double done, double total = 0, std::string_view note = {}) const {
    return checked(api_->progress(call_, done, total, to_bytes(note)), "progress");
  }
  // To the client that made the call. Levels are GANTRY_LOG_*.
  Status log(std::int32_t level, std::string_view text) const {
    return checked(api_->log(call_, level, to_bytes(text)), "log");
  }

  // Has `callback` run once when the call is cancelled or its deadline passes, at once if that has
  // happened; not after the hook is gone. On a thread of the host: be quick, and of the host's
  // functions call only PendingCall::finish. At most 8 hooks for a call: then GANTRY_TOO_BIG.
  Result<CancelHook> on_cancel(std::function<void()> callback) const {
    auto& hooks = detail::CancelHooks::of_this_library();
    void* const number = hooks.add(std::move(callback));
    CancelHook hook(number);
    const gantry_status status = api_->on_cancel(call_, &detail::CancelHooks::fire, number);
    if (status < 0) return Status(status, "on_cancel: the call has its 8 callbacks already");
    return hook;
  }
  // Takes a hook of this call down and frees its place among the 8, for a handler that does many
  // things one after the other. Dropping a hook also silences it, but its place stays taken until
  // the call ends. Only while the call may be used; waits while callbacks of the call run.
  void off_cancel(CancelHook hook) const {
    if (hook.number_ == nullptr) return;
    api_->off_cancel(call_, &detail::CancelHooks::fire, hook.number_);
  }

  const Host& host() const { return host_; }
  const gantry_call_api& api() const { return *api_; }
  gantry_call* handle() const { return call_; }

 protected:
  static Status checked(gantry_status status, const char* what) {
    if (status >= 0) return {};
    if (status == GANTRY_CANCELLED) return Status(status, "the call was cancelled");
    if (status == GANTRY_TOO_BIG)
      return Status(status, "the answer is larger than the host allows");
    return Status(status, std::string(what) + " failed with status " + std::to_string(status));
  }

  Host host_;
  const gantry_call_api* api_;
  gantry_call* call_;
};

// Writes a value as the answer: text for strings, a structured result for described structs, an
// error for a failed Status or Result. The status is what the call ends with.
template <class T>
gantry_status answer(const CallView& call, const T& value);

// Reports `status` as the call's error, unless it is fine or came from CallView::fail().
inline gantry_status answer_status(const CallView& call, const Status& status) {
  if (status) return GANTRY_OK;
  if (status.message().empty()) return status.code();
  call.api().fail(call.handle(), to_bytes(error_code(status.code())), to_bytes(status.message()),
                  {});
  return status.code();
}

// Ends its call exactly once: with finish(), or, when it is dropped, with an error. Move-only; may
// be moved to and finished on any thread. All must be finished when the plugin's stop() returns.
class [[nodiscard]] PendingCall : public CallView {
 public:
  explicit PendingCall(const CallView& call) : CallView(call) {}
  PendingCall(PendingCall&& other) noexcept : CallView(other) { other.call_ = nullptr; }
  PendingCall& operator=(PendingCall&& other) noexcept {
    if (this != &other) {
      drop();
      static_cast<CallView&>(*this) = other;
      other.call_ = nullptr;
    }
    return *this;
  }
  ~PendingCall() { drop(); }

  // False after finish() or a move: nothing of CallView may be used then.
  explicit operator bool() const { return call_ != nullptr; }

  // Ends the call with what was written, or with `status` as its error.
  void finish(const Status& status = {}) { end(answer_status(*this, status)); }
  // Writes `value` as a handler's return value would be, and ends the call.
  template <class T>
  requires(!std::is_same_v<T, Status>) void finish(const T& value) { end(answer(*this, value)); }

 private:
  void end(gantry_status status) { api_->finish(std::exchange(call_, nullptr), status); }
  void drop() {
    if (call_ != nullptr) finish(Status::failed("the tool ended without an answer"));
  }
};

class Call : public CallView {
 public:
  using CallView::CallView;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Takes the call out of the handler: it goes on after the handler has returned (what that
  // returns then counts for nothing) and ends with the PendingCall. Once for a call.
  PendingCall defer() {
    deferred_ = true;
    return PendingCall(*this);
  }
  bool deferred() const { return deferred_; }

 private:
  bool deferred_ = false;
};

namespace detail {

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

// The answers of prompts, resources and completions.
template <class T>
concept AnswersItself = requires(const T& value) {
  { value.structured() } -> std::convertible_to<std::string_view>;
};

}  // namespace detail

template <class T>
gantry_status answer(const CallView& call, const T& value) {
  if constexpr (std::is_same_v<T, Status>) {
    return answer_status(call, value);
  } else if constexpr (detail::kIsResult<T>) {
    return value ? answer(call, *value) : answer_status(call, value.status());
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return answer_status(call, call.text(value));
  } else if constexpr (std::is_same_v<T, JsonText>) {
    return answer_status(call, call.structured(value.text));
  } else if constexpr (detail::AnswersItself<T>) {
    return answer_status(call, call.structured(value.structured()));
  } else {
    static_assert(
        Described<T>,
        "a handler returns void, text, JsonText, a struct with fields(), the answer of its "
        "kind, Status or a Result of one of these");
    return answer_status(call, call.structured(to_json(value)));
  }
}

}  // namespace gantry
