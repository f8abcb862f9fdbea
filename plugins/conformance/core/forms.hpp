// core/forms.hpp: what several fixtures ask for. Values; any thread.
#pragma once

#include <string>

#include <gantry/fields.hpp>
#include <gantry/input.hpp>

namespace conformance {

// The manifest needs the service, so it is there.
inline gantry::Input input(const gantry::CallView& call) { return *gantry::Input::of(call.host()); }

struct Name {
  std::string name;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Name::name, "A name"));
  }
};

// What is said of an answer that was not given.
inline gantry::Status declined() { return gantry::Status::failed("The question was declined"); }

}  // namespace conformance
