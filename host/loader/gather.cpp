#include <algorithm>
#include <set>
#include <system_error>

#include <gantry/abi/host.h>

#include "host/loader/batch.hpp"
#include "host/loader/file_bytes.hpp"
#include "host/loader/look.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

struct Found {
  fs::path file;
  bool builtin;
};

Status trusts_directory(const Trust* trust, const PluginSource& source) {
  return trust == nullptr ? Status() : trust->check_directory(source.path, source.builtin);
}

bool is_plugin_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return file.extension() == ".so" && !name.starts_with('.');
}

void list_directory(const PluginSource& source, const Trust* trust, std::vector<Found>& found,
                    Batch& batch) {
  if (const Status s = trusts_directory(trust, source); !s) {
    return batch.refuse_file(source.path, s.message());
  }
  std::error_code error;
  std::vector<fs::path> files;
  fs::directory_iterator entry(source.path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_plugin_file(entry->path())) files.push_back(entry->path());
  }
  if (error) {
    batch.refuse_file(source.path, "the directory cannot be read: " + error.message());
  }
  std::sort(files.begin(), files.end());
  for (fs::path& file : files) found.push_back({std::move(file), source.builtin});
}

std::vector<Found> list_files(const std::vector<PluginSource>& sources, const Trust* trust,
                              Batch& batch) {
  std::vector<Found> found;
  for (const PluginSource& source : sources) {
    std::error_code error;
    if (fs::is_directory(source.path, error)) {
      list_directory(source, trust, found, batch);
    } else if (fs::exists(source.path, error)) {
      found.push_back({source.path, source.builtin});
    } else {
      batch.refuse_file(source.path, "there is no such file or directory; correct the path");
    }
  }
  return found;
}

Result<Candidate> examine(const Found& found, const Trust* trust, const LogSink& log) {
  Result<std::string> bytes = read_file_bytes(found.file);
  if (!bytes) return bytes.status();
  const std::string sha256 = sha256_hex(*bytes);
  if (trust != nullptr) {
    if (Status s = trust->check(found.file, *bytes, sha256, found.builtin); !s) return s;
  }
  const Result<Look> seen = look(*bytes);
  if (!seen) return seen.status();
  Result<Manifest> manifest = parse_manifest(seen->manifest);
  if (!manifest) return manifest.status();
  const auto warn = [&](const std::string& text) {
    if (log) log(manifest->name, GANTRY_LOG_WARNING, text);
  };
  for (const std::string& text : seen->warnings()) warn(text);
  for (const std::string& text : manifest->warnings) warn("its manifest: " + text);
  Candidate candidate;
  candidate.origin.file = found.file;
  candidate.origin.builtin = found.builtin;
  candidate.origin.sha256 = sha256;
  candidate.origin.manifest = std::move(manifest).value();
  candidate.bytes = std::move(bytes).value();
  return candidate;
}

}  // namespace

PluginState refused_state(const Origin& origin, std::string reason) {
  PluginState state;
  state.name = origin.manifest.name;
  state.version = origin.manifest.version;
  state.file = origin.file.string();
  state.sha256 = origin.sha256;
  state.state = "refused";
  state.reason = std::move(reason);
  return state;
}

void Batch::refuse(std::size_t index, std::string reason) {
  refused.push_back(refused_state(candidates[index].origin, std::move(reason)));
  candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(index));
}

// Before the name is known the file's stands in for it.
void Batch::refuse_file(const fs::path& file, std::string reason) {
  Origin origin;
  origin.file = file;
  origin.manifest.name = file.stem().string();
  refused.push_back(refused_state(origin, std::move(reason)));
}

Batch gather(const std::vector<PluginSource>& sources, const Trust* trust, const LogSink& log) {
  Batch batch;
  std::set<fs::path> seen;
  for (const Found& found : list_files(sources, trust, batch)) {
    std::error_code error;
    const fs::path canonical = fs::canonical(found.file, error);
    if (!error && !seen.insert(canonical).second) continue;
    Result<Candidate> candidate = examine(found, trust, log);
    if (candidate) {
      batch.candidates.push_back(std::move(candidate).value());
    } else {
      batch.refuse_file(found.file, candidate.message());
    }
  }
  return batch;
}

}  // namespace gantry::host
