#include "exports/export_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace gantry::data {
namespace {

std::string reason() { return std::strerror(errno); }

// Makes an unnamed file on file systems without O_TMPFILE.
int open_unnamed(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string name = directory + "/export-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

// The largest size of at most `most` bytes that does not cut a UTF-8 character.
std::size_t whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end > 0 ? end : most;
}

}  // namespace

Result<std::unique_ptr<ExportFile>> ExportFile::create(const std::string& directory,
                                                       const FileBounds& bounds) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const int file = open_unnamed(directory);
  if (file < 0) return Status::failed("cannot make a file in " + directory + ": " + reason());
  return std::unique_ptr<ExportFile>(new ExportFile(file, bounds));
}

ExportFile::~ExportFile() { ::close(file_); }

Status ExportFile::append(std::string_view text) {
  if (bytes_ + text.size() > bounds_.most_bytes) {
    return Status(GANTRY_TOO_BIG,
                  "the file would be larger than " + std::to_string(bounds_.most_bytes) + " bytes");
  }
  while (!text.empty()) {
    const std::uint64_t in_part = bytes_ - starts_.back();
    if (in_part > 0 && in_part + text.size() > bounds_.part_bytes) starts_.push_back(bytes_);
    const std::string_view piece = text.substr(0, whole_characters(text, bounds_.part_bytes));
    if (Status status = write(piece); !status) return status;
    text.remove_prefix(piece.size());
  }
  return {};
}

Status ExportFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::pwrite(file_, text.data(), text.size(), static_cast<off_t>(bytes_));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return Status::failed("writing an export failed: " + reason());
    bytes_ += static_cast<std::uint64_t>(done);
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

Result<std::string> ExportFile::read(std::size_t part) const {
  if (part >= starts_.size()) return Status(GANTRY_NOT_FOUND, "there is no such part");
  const std::uint64_t end = part + 1 < starts_.size() ? starts_[part + 1] : bytes_;
  std::string text(static_cast<std::size_t>(end - starts_[part]), '\0');
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done =
        ::pread(file_, text.data() + at, text.size() - at, static_cast<off_t>(starts_[part] + at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return Status::failed("reading an export failed: " + reason());
    at += static_cast<std::size_t>(done);
  }
  return text;
}

}  // namespace gantry::data
