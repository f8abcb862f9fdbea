// gantry/call.hpp: one call, as its handler sees it.
//
//   CallView     the operations on a call; a view, valid until the call ends
//   Call         the call that the handler was entered with
//   PendingCall  a call that Call::defer() moved out of its handler, to be finished later
//
// A handler need not use these: its return value is the answer. It takes a Call& to write content
// in pieces, to report progress, to notice cancellation, or to answer later. Content written before
// is sent together with the return value.
//
// A handler that answers later holds no thread while it waits:
//   void fetch(const Url& url, gantry::Call& call) {
//     auto pending = std::make_shared<gantry::PendingCall>(call.defer());
//     client.get(url.text, [pending](std::string body) { pending->finish(body); });
//   }
//
// Limits: the answer has at most 4 MiB unless the operator says otherwise;
// property("max_answer_bytes") has the number. Text counts with its JSON escapes, media with their
// Base64. A piece beyond the limit is GANTRY_TOO_BIG and is not kept; the pieces before it are.
//
// Owns: the host copies all text. Errors: a Status of GANTRY_CANCELLED means that no caller waits
// for the answer: stop working. Threads: writes from any thread, but only one at a time for a call;
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

// The error code that a client sees for a status; ABI.md lists the codes, also those that only
// CallView::fail() can give.
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

// Owns the registration of a callback. It may be destroyed at any time and on any thread, also
// after the call; it then waits for a callback that runs on another thread, so hold no lock that
// the callback takes.
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
  // The key of the callback in a table of this library; null: no callback.
  void* number_ = nullptr;
};

// The operations on a call, for helpers that do not end it. It does not own the call: use it in the
// handler, or as long as the PendingCall lives. A later use is reported as a fault of the plugin.
// It has more than twenty methods: one for each function of the call's tables.
class CallView {
 public:
  CallView(Host host, const gantry_call_api& api, gantry_call* call)
      : host_(host), api_(&api), call_(call) {}

  // The arguments in the client's own spelling: a JSON object of up to 1 MiB, which satisfies the
  // item's input schema. Valid until the call ends.
  std::string_view arguments() const { return to_view(api_->arguments(call_)); }
  // The arguments, parsed into a described struct; see read() in fields.hpp for the errors.
  template <Described T>
  Result<T> arguments_as() const {
    Result<Json> json = Json::parse(arguments());
    if (!json) return json.status();
    return read<T>(*json);
  }

  // A property of the call, "" if the host does not know the key: "agent", "correlation_id" (for
  // logs), "protocol" (the client's MCP revision, "2026-07-28"), "max_answer_bytes". Valid until
  // the call ends.
  std::string_view property(std::string_view key) const {
    return to_view(api_->property(call_, to_bytes(key)));
  }
  // The caller: a JSON object {name, permissions, user?, role?, tenant_id?, depth, classes?,
  // limits? {rows?, calls?, seconds?}}. The host has checked the item's permission; use this to
  // narrow data, not to widen it. depth counts how often the agent was narrowed on the way here
  // (Invocation::narrowing); 0 in a client's call.
  std::string_view agent() const { return property("agent"); }

  // True when no caller waits for the answer any more: the client cancelled or left, or the
  // deadline passed. Cheap: poll it in loops.
  bool cancelled() const { return api_->cancelled(call_) != 0; }
  // The deadline of the call; empty: none. After it the host has answered with a timeout, and
  // writes are refused. Give its rest to what the handler waits for.
  std::optional<std::chrono::steady_clock::time_point> deadline() const {
    const std::uint64_t at = api_->deadline(call_);
    if (at == 0) return {};
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(at));
  }

  // Adds content to a tool's answer, in the order of the calls: text (UTF-8), an image or audio
  // ("image/png", raw bytes), or one complete MCP content block as JSON (content.hpp). For a
  // resource media() adds one content of any type. Errors: GANTRY_UNSUPPORTED for another type or
  // kind, GANTRY_INVALID_ARGUMENT for a block that is none, GANTRY_TOO_BIG, GANTRY_CANCELLED.
  Status text(std::string_view text) const { return part("text", text); }
  Status media(std::string_view mime_type, std::string_view bytes) const {
    return part(mime_type, bytes);
  }
  Status block(std::string_view json) const { return part("block", json); }
  // Adds to one part of a service's answer: bodies of one type are joined, in any encoding that the
  // service documents.
  Status part(std::string_view type, std::string_view body) const {
    return checked(api_->write(call_, to_bytes(type), to_bytes(body)), "writing the answer");
  }

  // The structured result: one JSON object of at most 200 levels, complete or in pieces (begin
  // once, raw …, end once). A call has one; a second begin, or pieces in another order, are
  // GANTRY_MISUSE. The host sends it as text too to clients that need text: do not write it twice.
  // It must satisfy the tool's output schema. Text that is not one JSON value makes the call an
  // internal error, logged as a fault of this plugin; so does a begin without an end.
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

  // Makes the answer an error and drops the content written so far; the last fail() counts. `code`
  // is one of those in ABI.md, `message` a sentence of up to 2 KiB (a longer one loses its middle)
  // that says what to do. `details` is empty or a JSON object; the host leaves it out if it has
  // more than 32 KiB. Return the resulting status from the handler; it has no message, because the
  // error is already set.
  Status fail(std::string_view code, std::string_view message,
              std::string_view details = {}) const {
    api_->fail(call_, to_bytes(code), to_bytes(message), to_bytes(details));
    return Status(GANTRY_FAILED, {});
  }

  // Reports progress to a client that asked for it. `total` 0: unknown. `done` must grow from
  // report to report: others are dropped, so it may be called often. A failed Status means: stop
  // working.
  Status progress(double done, double total = 0, std::string_view note = {}) const {
    return checked(api_->progress(call_, done, total, to_bytes(note)), "progress");
  }
  // Logs to the client that made the call, if it asked for this level; at most 16 KiB. Levels are
  // GANTRY_LOG_*. For the operator's log use Host::log().
  Status log(std::int32_t level, std::string_view text) const {
    return checked(api_->log(call_, level, to_bytes(text)), "log");
  }

  // Registers `callback`, to run once when the call is cancelled or its deadline passes, at once on
  // this thread if that has happened already; it never runs after the hook was destroyed. Use it to
  // wake what the handler waits for, such as a condition variable or a socket. It runs on a thread
  // of the host: be quick, call no function of the host but PendingCall::finish, and take no lock
  // that is held while finish() is called, since finish() waits for running callbacks. An exception
  // in it is dropped. A ninth hook of a call is GANTRY_TOO_BIG.
  Result<CancelHook> on_cancel(std::function<void()> callback) const {
    auto& hooks = detail::CancelHooks::of_this_library();
    void* const number = hooks.add(std::move(callback));
    CancelHook hook(number);
    const gantry_status status = api_->on_cancel(call_, &detail::CancelHooks::fire, number);
    if (status < 0) return Status(status, "on_cancel: the call has its 8 callbacks already");
    return hook;
  }
  // Removes a hook of this call and frees its slot of the 8, for a handler that needs many hooks
  // one after the other. Destroying a hook also stops its callback, but keeps its slot until the
  // call ends. Allowed only while the call may be used; waits while callbacks of the call run.
  void off_cancel(CancelHook hook) const {
    if (hook.number_ == nullptr) return;
    api_->off_cancel(call_, &detail::CancelHooks::fire, hook.number_);
  }

  // For use with the C contract: the host, the table of functions, the call itself.
  const Host& host() const { return host_; }
  const gantry_call_api& api() const { return *api_; }
  gantry_call* handle() const { return call_; }

 protected:
  // A status of the contract as a Status with a sentence; `what` names the operation.
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

// Writes a value as the answer: a string as text, a described struct or JsonText as a structured
// result, a failed Status or Result as an error. Returns the status that ends the call. For code
// that ends calls through the C contract; handlers return the value, and PendingCall::finish()
// takes it.
template <class T>
gantry_status answer(const CallView& call, const T& value);

// Reports a failed `status` as the call's error, unless its message is empty: then CallView::fail()
// has done so, or the host writes a general sentence.
inline gantry_status answer_status(const CallView& call, const Status& status) {
  if (status) return GANTRY_OK;
  if (status.message().empty()) return status.code();
  call.api().fail(call.handle(), to_bytes(error_code(status.code())), to_bytes(status.message()),
                  {});
  return status.code();
}

// A call that continues after its handler has returned. Made by Call::defer(); a PendingCall of a
// call that was not deferred breaks the contract. Ends its call exactly once: by finish(), or with
// the error "the tool ended without an answer" when it is destroyed. Move-only; any thread may move
// it and finish it. All must be finished before the plugin's stop() returns.
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

  // False after finish() or a move: no function of CallView may be used then.
  explicit operator bool() const { return call_ != nullptr; }

  // Ends the call with the content written so far, or with `status` as its error. Allowed before
  // the handler has returned. Waits for running callbacks of on_cancel(). The arguments are gone
  // then.
  void finish(const Status& status = {}) { end(answer_status(*this, status)); }
  // Writes `value` like the return value of a handler, and ends the call. Prompts, resources and
  // completions need the answer type of their kind here (Messages, Contents, Completion).
  template <class T>
  requires(!std::is_same_v<T, Status>) void finish(const T& value) { end(answer(*this, value)); }

 private:
  // After it the call is gone, and so is everything that it lent.
  void end(gantry_status status) { api_->finish(std::exchange(call_, nullptr), status); }
  // A call that is forgotten must not stay open until its deadline.
  void drop() {
    if (call_ != nullptr) finish(Status::failed("the tool ended without an answer"));
  }
};

// The call that a handler was entered with; the reference is valid until the handler returns.
class Call : public CallView {
 public:
  using CallView::CallView;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Moves the call out of the handler: it continues after the handler has returned (the handler's
  // return value is ignored) and ends with the PendingCall. Use once for a call, and after it only
  // the PendingCall. If the handler then throws, the exception is logged and the PendingCall still
  // ends the call. The host's thread is free meanwhile: the way to wait for a server without a
  // thread.
  PendingCall defer() {
    deferred_ = true;
    return PendingCall(*this);
  }
  bool deferred() const { return deferred_; }

 private:
  // The handler's return value counts only while this is false.
  bool deferred_ = false;
};

namespace detail {

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

// The answers of prompts, resources and completions, which make the JSON object of their kind.
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
