// gantry/services.hpp: optional services of the host: calls to other items, secrets, the catalog.
//
// X::of(host) returns each, or empty if the host has no such service or the manifest's "needs" does
// not name it. They are two or three pointers, cheap to copy, valid as long as the Host. An
// exception thrown by a callback does not unwind through the host: the function catches it and
// rethrows it to its caller, or logs it if there is no caller.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/catalog.h>
#include <gantry/abi/invoke.h>
#include <gantry/abi/secret.h>
#include <gantry/call.hpp>

namespace gantry {

// The item to call. The views must be valid until the function that takes them returns.
struct Invocation {
  std::string_view kind = "tool";  // or "service"
  std::string_view name;
  std::string_view arguments = {};  // a JSON object; empty = {}
  std::string_view narrowing = {};  // see abi/invoke.h; empty = none
};

// The collected answer of a tool.
struct ToolReply {
  Status status;                    // message: the sentence of the tool's error
  std::string error;                // JSON {error_code, error, details?} if status is an error
  std::string structured;           // JSON, or empty
  std::vector<std::string> texts;   // content of type text, in order
  std::vector<std::string> blocks;  // other content, each an MCP content block as JSON
};

namespace detail {

// Wraps a callback for parts; stores its exception instead of letting it unwind into the host.
class PartSink {
 public:
  using Callback = std::function<void(std::string_view type, std::string_view body)>;
  explicit PartSink(Callback callback) : callback_(std::move(callback)) {}

  gantry_answer answer() { return {&PartSink::take, this}; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
  const std::string& error() const { return error_; }

 private:
  static void take(void* context, gantry_bytes type, gantry_bytes body) noexcept {
    auto& self = *static_cast<PartSink*>(context);
    if (self.thrown_) return;
    try {
      if (to_view(type) == "error") self.error_ += to_view(body);
      if (self.callback_) self.callback_(to_view(type), to_view(body));
    } catch (...) {
      self.thrown_ = std::current_exception();
    }
  }
  Callback callback_;
  std::exception_ptr thrown_;
  std::string error_;
};

// Collects the bytes passed to a sink.
class TextSink {
 public:
  gantry_sink sink() { return {&TextSink::take, this}; }
  Result<std::string> result(gantry_status status, const char* what) && {
    if (thrown_) std::rethrow_exception(thrown_);
    if (status < 0) return Status(status, what);
    return std::move(text_);
  }

 private:
  static void take(void* context, gantry_bytes part) noexcept {
    auto& self = *static_cast<TextSink*>(context);
    try {
      self.text_ += to_view(part);
    } catch (...) {
      self.thrown_ = std::current_exception();
    }
  }
  std::string text_;
  std::exception_ptr thrown_;
};

inline gantry_invocation to_abi(const Invocation& what) {
  return {sizeof(gantry_invocation), to_bytes(what.kind), to_bytes(what.name),
          to_bytes(what.arguments), to_bytes(what.narrowing)};
}

// The error message of the callee, or a generic one for its status.
inline Status failure(gantry_status status, std::string_view error_json, std::string_view name) {
  if (status >= 0) return {};
  const Result<Json> error = Json::parse(error_json);
  const std::optional<Json> text = error ? error->find("error") : std::nullopt;
  if (text && text->is_string()) return Status(status, *text->as_string());
  return Status(status, "'" + std::string(name) + "' failed with status " + std::to_string(status));
}

}  // namespace detail

// Calls tools and services of other plugins as the caller of `parent`; abi/invoke.h has the rules.
class Invoke {
 public:
  using Parts = detail::PartSink::Callback;

  static std::optional<Invoke> of(const Host& host) {
    const auto* table = host.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Invoke(host, *table));
  }

  // Calls a tool, waits, and collects its answer.
  ToolReply tool(const CallView& parent, std::string_view name, std::string_view arguments = {},
                 std::string_view narrowing = {}) const {
    ToolReply reply;
    reply.status = call(parent, {"tool", name, arguments, narrowing},
                        [&](std::string_view type, std::string_view body) {
                          if (type == "json") reply.structured += body;
                          if (type == "text") reply.texts.emplace_back(body);
                          if (type == "block") reply.blocks.emplace_back(body);
                          if (type == "error") reply.error += body;
                        });
    return reply;
  }

  // Calls and waits; parts arrive on this thread, borrowed until `parts` returns.
  Status call(const CallView& parent, const Invocation& what, Parts parts) const {
    detail::PartSink sink(std::move(parts));
    const gantry_invocation raw = detail::to_abi(what);
    const gantry_status status = table_->call(host_.handle(), parent.handle(), &raw, sink.answer());
    sink.rethrow();
    return detail::failure(status, sink.error(), what.name);
  }

  // call() with the bodies of the part `splice` written directly into the structured result that
  // `parent` has open.
  Status forward(const CallView& parent, const Invocation& what, std::string_view splice,
                 Parts parts) const {
    detail::PartSink sink(std::move(parts));
    const gantry_invocation raw = detail::to_abi(what);
    const gantry_status status =
        table_->forward(host_.handle(), parent.handle(), &raw, to_bytes(splice), sink.answer());
    sink.rethrow();
    return detail::failure(status, sink.error(), what.name);
  }

  // Calls without waiting. If the returned Status is OK, `done` is called exactly once, after the
  // parts, on a thread of the host, possibly before this returns; otherwise never. `parent` must
  // stay alive until then: defer() it and finish it in `done`.
  Status start(const CallView& parent, const Invocation& what, Parts parts,
               std::function<void(Status)> done) const {
    auto started = std::make_unique<Started>(Started{
        detail::PartSink(std::move(parts)), std::move(done), host_, std::string(what.name)});
    const gantry_invocation raw = detail::to_abi(what);
    Started* const context = started.release();  // done() may free it before start() returns
    const gantry_status status = table_->start(host_.handle(), parent.handle(), &raw,
                                               context->sink.answer(), &finished, context);
    if (status >= 0) return {};
    started.reset(context);
    return detail::failure(status, {}, what.name);
  }

 private:
  struct Started {
    detail::PartSink sink;
    std::function<void(Status)> done;
    Host host;
    std::string name;
  };

  Invoke(const Host& host, const gantry_invoke_api& table) : host_(host), table_(&table) {}

  static void finished(void* context, gantry_status status) noexcept {
    const std::unique_ptr<Started> it(static_cast<Started*>(context));
    try {
      Status outcome = detail::failure(status, it->sink.error(), it->name);
      try {
        it->sink.rethrow();
      } catch (...) {
        outcome = Status::failed("reading the answer of '" + it->name + "' failed");
      }
      it->done(std::move(outcome));
    } catch (...) {
      it->host.error("a callback of Invoke::start threw an exception");
    }
  }

  Host host_;
  const gantry_invoke_api* table_;
};

// Credentials that the operator granted; see abi/secret.h.
class Secrets {
 public:
  static std::optional<Secrets> of(const Host& host) {
    const auto* table = host.service<gantry_secret_api>(GANTRY_SECRET_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Secrets(host, *table));
  }

  // The current secret. Keep copies short-lived.
  Result<std::string> read(std::string_view name) const {
    detail::TextSink text;
    const gantry_status status = table_->read(host_.handle(), to_bytes(name), text.sink());
    return std::move(text).result(
        status, "the secret cannot be read; is it granted to this plugin in the configuration?");
  }

 private:
  Secrets(const Host& host, const gantry_secret_api& table) : host_(host), table_(&table) {}
  Host host_;
  const gantry_secret_api* table_;
};

// The items that the caller of a call can see; see abi/catalog.h.
class Catalog {
 public:
  static std::optional<Catalog> of(const Host& host) {
    const auto* table = host.service<gantry_catalog_api>(GANTRY_CATALOG_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Catalog(host, *table));
  }

  // A JSON array of items in the form of gantry_catalog_api.items.
  Result<std::string> items(const CallView& call, std::string_view kind = "tool") const {
    detail::TextSink text;
    const gantry_status status =
        table_->items(host_.handle(), call.handle(), to_bytes(kind), text.sink());
    return std::move(text).result(status, "the host does not list items of this kind");
  }

  // A JSON object {allowed, error_code?, reason?}.
  Result<std::string> explain(const CallView& call, std::string_view kind,
                              std::string_view name) const {
    detail::TextSink text;
    const gantry_status status =
        table_->explain(host_.handle(), call.handle(), to_bytes(kind), to_bytes(name), text.sink());
    return std::move(text).result(status, "the host does not explain items of this kind");
  }

 private:
  Catalog(const Host& host, const gantry_catalog_api& table) : host_(host), table_(&table) {}
  Host host_;
  const gantry_catalog_api* table_;
};

}  // namespace gantry
