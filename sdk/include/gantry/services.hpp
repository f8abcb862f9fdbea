// gantry/services.hpp: optional services of the host: calls to other items, secrets, the catalog.
//
// X::of(host) returns each, or none (available.hpp) if the host has no such service or the
// manifest's "needs" or "wants" does not name it; using none throws MissingService, which names it.
// They are two or three pointers, cheap to copy, valid as long as the Host; make them in start() or
// where they are used. An exception thrown by a callback does not
// unwind through the host: the function catches it and rethrows it to its caller, or logs it if
// there is no caller.
//
//   const auto invoke = gantry::Invoke::of(host());
//   const auto reply = invoke->tool(call, "count_objects", R"({"class_name":"sale"})");
//   if (!reply.status) return reply.status;      // its message is the sentence of the tool
//   return gantry::JsonText{reply.structured};
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
#include <gantry/available.hpp>
#include <gantry/call.hpp>

namespace gantry {

// The item to call. The views must be valid until the function that takes them returns, also for
// Invoke::start(), which copies them.
struct Invocation {
  // "tool" or "service"; other kinds cannot be called.
  // Static texts are enough: the host compares the kind and keeps no view of it.
  std::string_view kind = "tool";
  // The name of a tool, or "id/REV" of a service that the manifest's "needs" or "wants" names.
  std::string_view name;
  // A JSON object; empty means {}. For a tool it must satisfy the input schema.
  std::string_view arguments = {};
  // Restricts the callee's agent, see Invoke; empty means that it is the caller's agent unchanged.
  std::string_view narrowing = {};
};

// The collected answer of a tool. If `status` failed, the content is what arrived before the error.
// It owns its texts, which may together be as large as an answer: move them rather than copy them.
struct ToolReply {
  // The message is the sentence of the tool's error.
  Status status;
  // The JSON object {error_code, error, details?} if the status is an error, else empty.
  std::string error;
  // The structured result as JSON, or empty.
  std::string structured;
  // Content of type text, in order.
  std::vector<std::string> texts;
  // Other content in order, each an MCP content block as JSON; media have their bytes in Base64.
  std::vector<std::string> blocks;
};

namespace detail {

// Wraps a callback for parts; stores its exception instead of letting it unwind into the host.
// After an exception the remaining parts are dropped. Its address goes to the host: it must not
// move while a call is running.
class PartSink {
 public:
  using Callback = std::function<void(std::string_view type, std::string_view body)>;
  explicit PartSink(Callback callback) : callback_(std::move(callback)) {}

  // For the host, which calls it for each part until the callee has ended.
  gantry_answer answer() { return {&PartSink::take, this}; }
  // Throws the first exception of the callback, if it threw one.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
  // The bodies of the part "error", joined; empty if the callee did not fail with one.
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

// Collects the bytes passed to a sink; one use for one call.
class TextSink {
 public:
  // For the host, which calls it with each part of the text, in order, during one call.
  gantry_sink sink() { return {&TextSink::take, this}; }
  // The text, or a failed Status with the message `what`. Rethrows an exception of the sink.
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

// Views of the same texts: `what` must outlive the result.
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
// The callee has the same principal, deadline and cancellation as `parent`, and all calls of one
// client's call see the same versions of all plugins. Through `narrowing`, a JSON object
// {permissions?, tools? {only, except}, classes? {only, except}}, the callee may be given less than
// the caller, never more.
//
// Limits: calls nest 8 deep, 4 of them narrowed. Errors: GANTRY_NOT_FOUND also if the caller may
// not use the item; GANTRY_BUSY if the callee's plugin is not re-entrant and already in this chain
// of calls. The manifest's "needs" must name gantry.invoke/1, and each service that is called.
// Threads: those on which `parent` may be used.
class Invoke {
 public:
  // Receives the parts of an answer in order. A tool gives "json" (structured result, possibly in
  // several pieces), "text" and "block"; a service the parts that it documents; a failure gives
  // "error", a JSON object {error_code, error, details?}. The views are valid until the callback
  // returns. During forward() it must not write to `parent`.
  using Parts = detail::PartSink::Callback;

  // The revision that the manifest must name: "gantry.invoke/1".
  static constexpr const char* kId = GANTRY_INVOKE_SERVICE;
  // None without gantry.invoke/1 in the manifest: using it then throws MissingService.
  static Available<Invoke> of(const Host& host) {
    const auto* table = host.service<gantry_invoke_api>(kId);
    return table == nullptr ? Available<Invoke>() : Invoke(host, *table);
  }

  // Calls a tool, waits, and collects its answer. The arguments are checked against its input
  // schema. The status has the callee's sentence as message: return it, or say in other words what
  // failed.
  // The reply owns its texts. An exception of memory that runs out while they are collected leaves
  // this function. Content of a tool that failed is kept, as far as it was written.
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

  // Calls and waits; parts arrive on this thread, borrowed until `parts` returns. The callee runs
  // at once on this thread, so the call never waits for a free one.
  // An exception of `parts` leaves this function after the callee has returned; the remaining parts
  // are dropped.
  Status call(const CallView& parent, const Invocation& what, Parts parts) const {
    detail::PartSink sink(std::move(parts));
    const gantry_invocation raw = detail::to_abi(what);
    const gantry_status status = table_->call(host_.handle(), parent.handle(), &raw, sink.answer());
    sink.rethrow();
    return detail::failure(status, sink.error(), what.name);
  }

  // call() with the bodies of the part `splice` written directly into the structured result that
  // `parent` has open: open it with begin_structured(), write what comes before, forward, and write
  // the rest. Other parts go to `parts`. GANTRY_MISUSE if no result is open. The bodies count
  // against the limit of the answer of `parent`.
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
  // stay alive until then: defer() it and finish it in `done`. Both callbacks are destroyed after
  // `done`; guard what they share with this thread.
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
  // Owned by the host's callback until finished() has run.
  struct Started {
    detail::PartSink sink;
    std::function<void(Status)> done;
    Host host;
    std::string name;
  };

  Invoke(const Host& host, const gantry_invoke_api& table) : host_(host), table_(&table) {}

  // The host's `done`. An exception of `parts` becomes a failed Status, one of `done` a line of the
  // log.
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
  // The host's table: valid as long as the Host.
  const gantry_invoke_api* table_;
};

// Credentials that the operator granted; see abi/secret.h. The configuration names each by
// reference, an environment variable or a file, and by name to the plugin. The manifest's "needs"
// must name gantry.secret/1. Any thread.
class Secrets {
 public:
  static constexpr const char* kId = GANTRY_SECRET_SERVICE;
  // None without gantry.secret/1 in the manifest: using it then throws MissingService.
  static Available<Secrets> of(const Host& host) {
    const auto* table = host.service<gantry_secret_api>(kId);
    return table == nullptr ? Available<Secrets>() : Secrets(host, *table);
  }

  // The current secret, at most 64 KiB, without a file's final newline. It is read anew each time,
  // so a rotated secret is seen without a restart. Keep copies short-lived, and never log or return
  // them. A secret that is not granted, or whose source is missing, is GANTRY_NOT_FOUND: the
  // operator's fault.
  // The caller owns the copy and should overwrite it after use. Threads: any.
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

// The items that the caller of a call can see; see abi/catalog.h. For tools that describe the
// server. `kind` is "tool", "prompt", "resource", "resource_template" or "method"; another is
// GANTRY_UNSUPPORTED. The manifest's "needs" must name gantry.catalog/1. Threads: those on which
// the call may be used.
class Catalog {
 public:
  static constexpr const char* kId = GANTRY_CATALOG_SERVICE;
  // None without gantry.catalog/1 in the manifest: using it then throws MissingService.
  static Available<Catalog> of(const Host& host) {
    const auto* table = host.service<gantry_catalog_api>(kId);
    return table == nullptr ? Available<Catalog>() : Catalog(host, *table);
  }

  // A JSON array in the order of lists, of {name, uri?, uriTemplate?, title?, description?,
  // category, plugin, permission}; of a method {name, title?, description?, plugin, permission,
  // class, type, supports_dry_run, parameters, permitted_keys?}. Only items that this caller may
  // use; never cache it for another caller.
  // The caller owns the text. It says nothing about an item that the caller cannot see.
  Result<std::string> items(const CallView& call, std::string_view kind = "tool") const {
    detail::TextSink text;
    const gantry_status status =
        table_->items(host_.handle(), call.handle(), to_bytes(kind), text.sink());
    return std::move(text).result(status, "the host does not list items of this kind");
  }

  // Whether the caller may use one item, and if not, why: a JSON object {allowed, error_code?,
  // reason?, details?}. `name` is the URI of a resource, the URI template of a template and
  // "Class.name" of a method. An item that the
  // caller may not know of is "not_found".
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
