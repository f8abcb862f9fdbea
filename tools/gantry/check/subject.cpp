#include "tools/gantry/check/subject.hpp"

#include <utility>

#include "host/plugin/file_bytes.hpp"

namespace gantry::testing::detail {

// Every fake host here has an on_violation.
void fail_test(const std::string&) {}

}  // namespace gantry::testing::detail

namespace gantry::cli {

namespace fs = std::filesystem;

Result<Subject> read_subject(const fs::path& file, const Surroundings& surroundings) {
  Subject out{file, {}, {}, {}, surroundings};
  Result<std::string> bytes = host::read_file_bytes(file);
  if (!bytes) return bytes.status();
  out.bytes = std::move(*bytes);
  Result<host::ElfInspection> look = host::inspect_elf(out.bytes);
  if (!look) return look.status();
  out.look = std::move(*look);
  Result<host::Manifest> manifest = host::parse_manifest(out.look.manifest);
  if (!manifest) return manifest.status();
  out.manifest = std::move(*manifest);
  return out;
}

Result<host::Library> map_subject(const Subject& subject) {
  auto file = host::SealedFile::of(subject.bytes);
  if (!file) return file.status();
  return host::Library::open(std::move(*file), false);
}

testing::Options fake_options(const Subject& subject,
                              std::function<void(const std::string&)> on_violation) {
  testing::Options options;
  options.config = subject.surroundings.config;
  options.secrets = subject.surroundings.secrets;
  options.patience = std::chrono::milliseconds(3000);
  options.on_violation = std::move(on_violation);
  return options;
}

}  // namespace gantry::cli
