#include "host/loader/seen_files.hpp"

#include <gantry/abi/host.h>
#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "host/base/sha256.hpp"
#include "host/plugin/file_bytes.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

// The kernel's clock for file times ticks in steps of up to 10 ms: a file that was written this
// short a time ago may be written again within the same step.
constexpr std::int64_t kStep = 50'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileStamp stamp_of(const struct stat& info) {
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
          static_cast<std::uint64_t>(info.st_size), nanoseconds(info.st_mtim),
          nanoseconds(info.st_ctim)};
}

Result<SealedFilePtr> seal_file(const fs::path& file) {
  return SealedFile::of(
      [&file](const SealedFile::Append& append) { return read_file_pieces(file, append); });
}

bool is_settled(const FileStamp& stamp) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return stamp.changed + kStep < nanoseconds(now);
}

}  // namespace

std::vector<SeenFile*> SeenFiles::inspect(const std::vector<PluginSource>& sources) {
  std::vector<SeenFile*> out;
  std::map<fs::path, SeenFile> next;
  for (const FoundFile& found : find_files(sources, trust_.get())) {
    if (found.unknown_directory) keep_directory(found, out, next);
    add(found, out, next);
  }
  files_ = std::move(next);
  for (SeenFile*& seen : out) seen = &files_[seen->file];
  return out;
}

void SeenFiles::add(const FoundFile& found, std::vector<SeenFile*>& out,
                    std::map<fs::path, SeenFile>& next) {
  SeenFile seen;
  if (const auto known = files_.find(found.file); known != files_.end()) {
    seen = std::move(known->second);
    files_.erase(known);
    if (seen.builtin != found.builtin) seen = {};
  }
  seen.file = found.file;
  seen.builtin = found.builtin;
  if (found.problem.empty()) {
    refresh(seen);
  } else {
    seen.problem = found.problem;
    seen.origin = {};
    seen.origin.file = found.file;
    seen.origin.manifest.name = found.file.stem().string();
    seen.settled = false;
  }
  const auto [at, fresh] = next.emplace(found.file, std::move(seen));
  if (fresh) out.push_back(&at->second);
}

// The files of a directory that cannot be read now stay as they were.
void SeenFiles::keep_directory(const FoundFile& found, std::vector<SeenFile*>& out,
                               std::map<fs::path, SeenFile>& next) {
  for (auto known = files_.begin(); known != files_.end();) {
    if (known->first.parent_path() != found.file) {
      ++known;
      continue;
    }
    const auto [at, fresh] = next.emplace(known->first, std::move(known->second));
    if (fresh) out.push_back(&at->second);
    known = files_.erase(known);
  }
}

void SeenFiles::refresh(SeenFile& seen) {
  struct stat info {};
  if (::stat(seen.file.c_str(), &info) != 0) {
    seen.settled = false;
    seen.problem = "the file cannot be read: " + std::generic_category().message(errno);
    seen.origin = {};
    seen.origin.file = seen.file;
    seen.origin.manifest.name = seen.file.stem().string();
    return;
  }
  const FileStamp stamp = stamp_of(info);
  if (seen.settled && seen.stamp == stamp) return;
  seen.stamp = stamp;
  seen.settled = is_settled(stamp);
  examine(seen);
}

// Warnings about unchanged bytes are not logged again.
void SeenFiles::examine(SeenFile& seen) {
  const std::string before = std::exchange(seen.origin, {}).sha256;
  seen.problem.clear();
  seen.origin.file = seen.file;
  seen.origin.builtin = seen.builtin;
  const Result<ElfInspection> found = read(seen);
  if (!found) {
    seen.problem = found.message();
    seen.file_bytes.reset();
    std::string& name = seen.origin.manifest.name;
    if (name.empty()) name = seen.file.stem().string();
    return;
  }
  if (seen.origin.sha256 == before || !log_) return;
  const Manifest& manifest = seen.origin.manifest;
  for (const std::string& text : found->warnings()) {
    log_(manifest.name, GANTRY_LOG_WARNING, text);
  }
  for (const std::string& text : manifest.warnings) {
    log_(manifest.name, GANTRY_LOG_WARNING, "its manifest: " + text);
  }
}

Result<ElfInspection> SeenFiles::read(SeenFile& seen) {
  Result<SealedFilePtr> file = seal_file(seen.file);
  if (!file) return file.status();
  seen.file_bytes = std::move(*file);
  const Result<SealedFile::Bytes> bytes = seen.file_bytes->read();
  if (!bytes) return bytes.status();
  seen.origin.sha256 = sha256_hex(bytes->view());
  if (trust_) {
    if (Status s = trust_->check(seen.file, bytes->view(), seen.origin.sha256, seen.builtin); !s) {
      seen.settled = false;  // a signature may come beside it
      return s;
    }
  }
  Result<ElfInspection> found = inspect_elf(bytes->view());
  if (!found) return found;
  Result<Manifest> manifest = parse_manifest(found->manifest);
  if (!manifest) return manifest.status();
  seen.origin.manifest = std::move(manifest).value();
  return found;
}

Result<SealedFilePtr> SeenFiles::take_file(SeenFile& seen) {
  if (seen.file_bytes) return std::exchange(seen.file_bytes, nullptr);
  Result<SealedFilePtr> file = seal_file(seen.file);
  if (file) {
    const Result<SealedFile::Bytes> bytes = (*file)->read();
    if (bytes && sha256_hex(bytes->view()) == seen.origin.sha256) return file;
  }
  seen.settled = false;
  if (!file) return file.status();
  return Status::failed("the file changed while it was loaded; it is looked at again");
}

void SeenFiles::drop_bytes() {
  for (auto& [file, seen] : files_) {
    seen.file_bytes.reset();
  }
}

void SeenFiles::forget_content() {
  for (auto& [file, seen] : files_) seen.settled = false;
}

}  // namespace gantry::host
