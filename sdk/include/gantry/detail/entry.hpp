// gantry/detail/entry.hpp: implements the contract's functions for a gantry::Plugin. No exception
// leaves them.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include <gantry/plugin.hpp>

namespace gantry::detail {

// The message of the current exception. Call it in a catch block only.
inline std::string caught() {
  try {
    throw;
  } catch (const std::exception& problem) {
    return problem.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

// Runs `body`. An exception is passed to `report` as a message and becomes GANTRY_FAILED.
template <class Body, class Report>
gantry_status guarded(Body body, Report report) noexcept {
  try {
    return body();
  } catch (...) {
    try {
      report(caught());
    } catch (...) {  // no memory for the message; the status is still returned
    }
    return GANTRY_FAILED;
  }
}

// One instance: the author's object and its offer.
template <class P>
struct Box {
  explicit Box(Host given) : host(given), plugin(given) {}

  Host host;
  P plugin;
  const gantry_call_api* calls = nullptr;
};

template <class P>
class Entry {
 public:
  static constexpr gantry_plugin table() {
    return {GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke,
            stop,         destroy};
  }

 private:
  static Box<P>& box(void* self) { return *static_cast<Box<P>*>(self); }

  // Logs the message; the host shows it as the reason.
  static gantry_status reported(const Host& host, const Status& status) {
    if (!status) host.error(status.message());
    return status ? GANTRY_OK : status.code();
  }

  static gantry_status create(const gantry_host_api* api, gantry_host* handle,
                              void** self) noexcept {
    const Host host(*api, handle);
    const auto body = [&]() -> gantry_status {
      auto made = std::make_unique<Box<P>>(host);
      made->calls = host.service<gantry_call_api>(GANTRY_CALL_SERVICE);
      if (made->calls == nullptr) {
        return reported(host, Status(GANTRY_UNSUPPORTED, "no " GANTRY_CALL_SERVICE
                                                         "; name it in the manifest's \"needs\""));
      }
      *self = made.release();
      return GANTRY_OK;
    };
    return guarded(body, [&](const std::string& text) { host.error(text); });
  }

  static gantry_status start(void* self) noexcept {
    Box<P>& it = box(self);
    const auto body = [&]() -> gantry_status {
      if (Status status = it.plugin.start(); !status) return reported(it.host, status);
      return offer_first(it);
    };
    return guarded(body, [&](const std::string& text) { it.host.error(text); });
  }

  // If the host refuses the offer, it logs the reason itself.
  static gantry_status offer_first(Box<P>& it) {
    Plugin& plugin = it.plugin;
    Offer offer;
    plugin.offer(offer);
    return plugin.slot_.begin(it.host, std::move(offer)).code();
  }

  static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name,
                              gantry_call* handle) noexcept {
    Box<P>& it = box(self);
    Call call(it.host, *it.calls, handle);
    const auto fail = [&](const std::string& text) {
      it.host.error(std::string(to_view(kind)) + " '" + std::string(to_view(name)) + "': " + text);
      if (!call.deferred()) answer_status(call, Status::failed(text));
    };
    const gantry_status status = guarded([&] { return dispatch(it, kind, name, call); }, fail);
    return call.deferred() ? GANTRY_PENDING : status;
  }

  static gantry_status dispatch(Box<P>& it, gantry_bytes kind, gantry_bytes name, Call& call) {
    if (to_view(kind) == "self_check") return answer_status(call, it.plugin.self_check());
    if (!OfferSlot::knows(to_view(kind))) return GANTRY_UNSUPPORTED;
    const Plugin& plugin = it.plugin;
    const auto handler = plugin.slot_.find(to_view(kind), to_view(name));
    return handler == nullptr ? GANTRY_NOT_FOUND : (*handler)(call);
  }

  static gantry_status stop(void* self, std::uint64_t deadline) noexcept {
    Box<P>& it = box(self);
    const std::chrono::steady_clock::time_point at{std::chrono::nanoseconds(deadline)};
    return guarded([&] { return reported(it.host, it.plugin.stop(at)); },
                   [&](const std::string& text) { it.host.error(text); });
  }

  static void destroy(void* self) noexcept { delete static_cast<Box<P>*>(self); }
};

}  // namespace gantry::detail
