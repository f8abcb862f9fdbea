// core/forms.hpp: helpers that several fixtures use. Values; any thread.
#pragma once

#include <string>

#include <gantry/fields.hpp>
#include <gantry/input.hpp>

namespace conformance {

// Always available: the manifest needs the service.
inline gantry::Input input(const gantry::CallView& call) { return *gantry::Input::of(call.host()); }

struct Name {
  std::string name;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Name::name, "A name"));
  }
};

// The result if the question was declined.
inline gantry::Status declined() { return gantry::Status::failed("The question was declined"); }

}  // namespace conformance
