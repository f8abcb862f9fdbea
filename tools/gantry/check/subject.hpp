// tools/gantry/check/subject.hpp: the checked plugin, read from its file and not yet loaded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>
#include <gantry/testing/fake_host.hpp>

#include "host/loader/library.hpp"
#include "host/plugin/elf_inspection.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::cli {

// The surroundings that the plugin needs, as the author names them.
struct Surroundings {
  std::string config = "{}";                                  // JSON object
  std::map<std::string, std::string, std::less<>> secrets;    // by name
  std::map<std::string, std::string, std::less<>> arguments;  // JSON object by tool
  int seconds = 20;                                           // for one check
};

struct Subject {
  std::filesystem::path file;
  std::string bytes;
  host::ElfInspection look;
  host::Manifest manifest;
  Surroundings surroundings;
};

// The error's sentence names the fault of the file.
Result<Subject> read_subject(const std::filesystem::path& file, const Surroundings& surroundings);

// The plugin, mapped into this process.
Result<host::Library> map_subject(const Subject& subject);

// Options of a fake host for the subject; it reports broken rules to `on_violation`.
testing::Options fake_options(const Subject& subject,
                              std::function<void(const std::string&)> on_violation);

}  // namespace gantry::cli
