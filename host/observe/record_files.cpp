#include "host/observe/record_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;
using Instant = std::chrono::steady_clock::time_point;

constexpr std::size_t kPart = 1u << 20;         // bytes read at once
constexpr std::size_t kLongestLine = 1u << 20;  // a longer one is no record

// The bytes [begin, begin + size) of the file; fewer when it has become shorter.
std::string part_of(int fd, off_t begin, std::size_t size) {
  std::string out(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::pread(fd, out.data() + got, size - got, begin + static_cast<off_t>(got));
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.resize(got);
  return out;
}

// Calls `take` for each line of the file, the last one first, until it returns false. False: it
// did.
template <class Take>
bool each_line_backwards(int fd, off_t size, Take&& take) {
  std::string rest;  // the end of a line whose begin is not read yet
  while (size > 0) {
    const std::size_t count = std::min<std::size_t>(kPart, static_cast<std::size_t>(size));
    size -= static_cast<off_t>(count);
    std::string part = part_of(fd, size, count) + rest;
    std::size_t end = part.size();
    while (end > 0) {
      const auto line_break = part.rfind('\n', end - 1);
      if (line_break == std::string::npos) break;
      const std::string_view line =
          std::string_view(part).substr(line_break + 1, end - line_break - 1);
      end = line_break;
      if (!line.empty() && !take(line)) return false;
    }
    part.resize(std::min(end, kLongestLine));
    rest = std::move(part);
  }
  return rest.empty() || take(rest);
}

std::string first_time(int fd) {
  RecordFacts facts;
  const std::string begin = part_of(fd, 0, 16u << 10);
  return read_record(std::string_view(begin).substr(0, begin.find('\n')), facts) ? facts.time
                                                                                 : std::string();
}

struct OpenFile {
  explicit OpenFile(const std::string& name)
      : fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
    struct stat facts {};
    if (fd.is_open() && ::fstat(fd.get(), &facts) == 0) size = facts.st_size;
  }
  const UniqueFd fd;
  off_t size = 0;
};

// FILE, FILE.1, FILE.2, …: all are opened first, so that a rotation hides and repeats none.
std::vector<std::unique_ptr<const OpenFile>> open_files(const fs::path& file) {
  std::vector<std::unique_ptr<const OpenFile>> out;
  for (std::size_t n = 0;; ++n) {
    auto next =
        std::make_unique<const OpenFile>(file.string() + (n == 0 ? "" : "." + std::to_string(n)));
    if (!next->fd.is_open()) return out;
    out.push_back(std::move(next));
  }
}

}  // namespace

FoundRecords search_record_files(const fs::path& file, const RecordFilter& filter, std::size_t most,
                                 std::chrono::milliseconds patience) {
  const Instant until = std::chrono::steady_clock::now() + patience;
  FoundRecords out;
  const auto files = open_files(file);
  for (const auto& each : files) {
    const bool whole = each_line_backwards(each->fd.get(), each->size, [&](std::string_view line) {
      if (!filter.wants(line)) return std::chrono::steady_clock::now() < until;
      if (out.records.size() == most) return false;
      out.records.emplace_back(line);
      return true;
    });
    if (!whole) {
      out.more = true;
      break;
    }
  }
  if (!files.empty()) out.oldest = first_time(files.back()->fd.get());
  return out;
}

}  // namespace gantry::host
