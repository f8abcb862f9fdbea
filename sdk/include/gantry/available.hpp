// gantry/available.hpp: an optional service of the host, or the sentence that explains its absence.
//
//   const auto input = gantry::Input::of(host());
//   if (!input) return input.status();           // only a plugin that can do without needs to look
//   input->elicit<Person>(call, "person", "Which person is it for?");
//
// A service that the host does not give is nearly always one that the manifest does not name. Using
// it all the same throws MissingService, whose text names the service and the remedy; in a handler
// that becomes a tool error.
//
// Owns: the service, which is a few pointers into tables of the host. Errors: MissingService and
// status() only; both are the fault of the manifest, or of a host that is older than the service.
// Threads: any may read one Available; assigning to it needs all others to wait.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <gantry/status.hpp>

namespace gantry {

// Thrown by the use of a service that the host has not given to the plugin.
class MissingService : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A Service, such as Input or Invoke, or nothing. As cheap to copy as the Service; its thread rules
// are those of the Service. Default-constructed it has none, as if of() had not found it.
template <class Service>
class Available {
 public:
  // Without a service: for a member that start() sets.
  Available() = default;
  Available(Service service) : service_(std::move(service)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return service_.has_value(); }
  // OK if there is a service; else a failed Status that names it and says what to do.
  Status status() const { return service_ ? Status() : Status(GANTRY_UNSUPPORTED, missing()); }
  // The service. Throws MissingService if there is none. References live as long as this.
  const Service& value() const {
    if (!service_) throw MissingService(missing());
    return *service_;
  }
  const Service& operator*() const { return value(); }
  const Service* operator->() const { return &value(); }

 private:
  // The sentence with the remedy. It is made when it is needed only, so that success allocates
  // nothing.
  static std::string missing() {
    const std::string id(Service::kId);
    return "the host does not give this plugin " + id + "; add \"" + id +
           "\" to \"needs\" in its manifest";
  }
  std::optional<Service> service_;
};

}  // namespace gantry
