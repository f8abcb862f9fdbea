// A plugin in C terms whose functions are lambdas of a test; one instance at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <gantry/bytes.hpp>
#include <gantry/testing/fake_host.hpp>

namespace scripted {

// The functions of the plugin; unset ones return GANTRY_OK.
struct Script {
  std::function<gantry_status()> create, start, stop;
  std::function<gantry_status(gantry_call*)> invoke;
};

// Filled by create(), for scripts to use.
struct Given {
  const gantry_host_api* api = nullptr;
  gantry_host* host = nullptr;
  const gantry_call_api* calls = nullptr;
  template <class Table>
  const Table* service(const char* id) const {
    return static_cast<const Table*>(api->service(host, id));
  }
};

extern Script script;
extern Given given;
extern const gantry_plugin table;

inline gantry_bytes bytes(std::string_view text) { return gantry::to_bytes(text); }

// Runs the scripted plugin and collects the violations that the fake host reports.
class Scripted : public ::testing::Test {
 protected:
  Scripted();

  // One call of the tool "t".
  gantry::testing::Reply run(std::function<gantry_status(gantry_call*)> body,
                             std::string_view arguments = "{}",
                             const gantry::testing::CallOptions& options = {});
  void make_host(std::string_view flags = R"(["reentrant"])");
  // The violations so far, joined by newlines.
  std::string violations() const;

  gantry::testing::Options options_;
  std::unique_ptr<gantry::testing::FakeHost> host_;
};

}  // namespace scripted
