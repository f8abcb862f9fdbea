#include "journal/journal.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gantry::data {
namespace {

namespace fs = std::filesystem;

std::string file_of(const Journal::Options& options) {
  std::error_code error;
  const fs::path real = fs::canonical(options.database, error);
  const std::string name = name_of(error ? options.database : real.string());
  return (fs::path(options.directory) / (name + ".writes")).string();
}

// A part of one record cannot stand for another part or record.
std::string binding_of(std::string_view part, std::string_view id) {
  return "gantry.write/1 " + std::string(part) + " " + std::string(id);
}

Status make_directory(const std::string& directory) {
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return Status::failed(directory + " cannot be made: " + std::strerror(errno));
}

}  // namespace

Journal::Journal(Options options)
    : options_(std::move(options)), seal_(options_.secret), path_(file_of(options_)) {}

Result<std::shared_ptr<RecordLog>> Journal::log() {
  const std::lock_guard lock(mutex_);
  if (log_ && log_->is_there()) return log_;
  log_.reset();
  if (Status made = make_directory(options_.directory); !made) return made;
  auto opened = RecordLog::open(path_, options_.limits, options_.said);
  if (!opened) return opened.status();
  log_ = std::move(*opened);
  return log_;
}

Result<std::shared_ptr<RecordLog>> Journal::known_log() {
  {
    const std::lock_guard lock(mutex_);
    if (log_) return log_;
  }
  return log();
}

void Journal::note_unreadable() {
  if (unreadable_.fetch_add(1) > 0) return;
  options_.said(
      path_ +
      " has records of writes that cannot be read, because the key of the state directory "
      "is another one or they were changed; they are left out");
}

std::optional<Journal::Entry> Journal::opened(const RecordLog::Entry& entry) {
  const auto plain = seal_.open(binding_of("head", entry.id), entry.head);
  auto head = plain ? read_head(*plain) : std::nullopt;
  if (head && head->id == entry.id) return Entry{std::move(*head), entry.number, entry.is_pending};
  note_unreadable();
  return std::nullopt;
}

Status Journal::append(const WriteHead& head, const Images& images) {
  const auto log = known_log();
  if (!log) return log.status();
  const std::string sealed_head = seal_.close(binding_of("head", head.id), bytes_of(head));
  const std::string body = seal_.close(binding_of("images", head.id), bytes_of(images));
  return (*log)->append({head.id, head.undoes, sealed_head, body});
}

Status Journal::settle(const std::string& id, bool is_kept) {
  const auto log = known_log();
  return log ? (*log)->settle(id, is_kept) : log.status();
}

Result<Journal::Page> Journal::newest(std::int64_t before, std::size_t most) {
  const auto log = this->log();
  if (!log) return log.status();
  const auto found = (*log)->newest(before, most);
  if (!found) return found.status();
  Page page;
  for (const RecordLog::Entry& entry : *found) {
    if (auto one = opened(entry)) page.entries.push_back(std::move(*one));
  }
  if (found->size() == most) page.next = found->back().number;
  return page;
}

Result<std::vector<Journal::Entry>> Journal::pending() {
  const auto log = this->log();
  if (!log) return log.status();
  const auto found = (*log)->pending();
  if (!found) return found.status();
  std::vector<Entry> entries;
  for (const RecordLog::Entry& entry : *found) {
    if (auto one = opened(entry)) {
      entries.push_back(std::move(*one));
    } else if (Status dropped = (*log)->settle(entry.id, false); !dropped) {
      return dropped;
    }
  }
  return entries;
}

Result<std::optional<Journal::Entry>> Journal::find(const std::string& id) {
  const auto log = this->log();
  if (!log) return log.status();
  const auto found = (*log)->find(id);
  if (!found) return found.status();
  return *found ? opened(**found) : std::nullopt;
}

Result<Images> Journal::images(const std::string& id) {
  const auto log = this->log();
  if (!log) return log.status();
  const auto sealed = (*log)->body(id);
  if (!sealed) return sealed.status();
  const auto plain = seal_.open(binding_of("images", id), *sealed);
  auto images = plain ? read_images(*plain) : std::nullopt;
  if (images) return std::move(*images);
  note_unreadable();
  return Status::not_found("the rows of the write " + id +
                           " cannot be read: its record was changed or the key is another one");
}

Result<std::string> Journal::undone_by(const std::string& id) {
  const auto log = this->log();
  if (!log) return log.status();
  auto by = (*log)->replacement(id);
  if (!by || by->empty()) return by;
  const auto again = undone_by(*by);
  if (!again) return again;
  return again->empty() ? by : Result<std::string>(std::string());
}

}  // namespace gantry::data
