// tools/gantry/plugin/database.hpp (private): a database behind a plugin that runs in a fake host.
//
// The built-in plugin that offers gantry.data/1 runs in a fake host of its own, in this process;
// its services are provided to the other one. The caller is an admin without rules; a narrowing
// applies.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <gantry/result.hpp>
#include <gantry/testing/fake_host.hpp>

#include "host/loader/library.hpp"
#include "tools/gantry/check/subject.hpp"

namespace gantry::cli {

struct DatabaseChoice {
  std::string file;     // SQLite; empty: none
  std::string model;    // directory; empty: none
  std::string plugins;  // directory of the built-in plugins; empty: that of this installation
  bool accept_drafts = false;  // as gantryd --accept-drafts
};

class Database {
 public:
  // Errors: no plugin in the directory offers gantry.data/1, or it does not start; the sentence
  // says what to do.
  static Result<std::unique_ptr<Database>> open(const DatabaseChoice& choice);

  // An operation of gantry.data/1 as its admin: {"op":…,"args":…}. The parts are the content.
  testing::Reply ask(std::string_view request);

  // What gantry.access/1 tells operators: {"tell":…}.
  testing::Reply ask_as_operator(std::string_view request);

  // Offers the services to `host`, which must not outlive this.
  void provide_to(testing::FakeHost& host);

 private:
  Database(const Subject& subject, host::Library mapped, const std::string& config);

  const host::Library mapped_;
  testing::FakeHost engine_;
};

}  // namespace gantry::cli
