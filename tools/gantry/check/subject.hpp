// tools/gantry/check/subject.hpp: the plugin that is checked, read from its file, not yet loaded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>
#include <gantry/testing/fake_host.hpp>

#include "host/loader/library.hpp"
#include "host/loader/look.hpp"
#include "host/loader/manifest.hpp"

namespace gantry::cli {

// What the author says about the surroundings that the plugin needs.
struct Surroundings {
  std::string config = "{}";                                  // JSON object
  std::map<std::string, std::string, std::less<>> secrets;    // by name
  std::map<std::string, std::string, std::less<>> arguments;  // JSON object by tool
  int seconds = 20;                                           // for one check
};

struct Subject {
  std::filesystem::path file;
  std::string bytes;
  host::Look look;
  host::Manifest manifest;
  Surroundings surroundings;
};

// The sentence says what is wrong with the file.
Result<Subject> read_subject(const std::filesystem::path& file, const Surroundings& surroundings);

// The plugin in this process: a copy of the file is mapped. One a process.
class Mapped {
 public:
  static Result<Mapped> open(const Subject& subject);
  Mapped(Mapped&&) = default;
  Mapped& operator=(Mapped&&) = default;
  ~Mapped();

  const gantry_plugin& table() const { return library_.table(); }
  // True when it is really gone.
  bool close() { return library_.close(); }

 private:
  Mapped(std::filesystem::path folder, host::Library library)
      : folder_(std::move(folder)), library_(std::move(library)) {}
  std::filesystem::path folder_;
  host::Library library_;
};

// How a fake host runs the subject; sentences about broken rules go to `on_violation`.
testing::Options fake_options(const Subject& subject,
                              std::function<void(const std::string&)> on_violation);

}  // namespace gantry::cli
