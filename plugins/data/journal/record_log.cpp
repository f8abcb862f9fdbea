#include "journal/record_log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "values/system_time.hpp"

namespace gantry::data {
namespace {

using Id = RecordFrame::Id;

bool is_id(const std::string& text) { return text.size() <= Id().size(); }

Id id_of(const std::string& text) {
  Id id{};
  std::copy_n(text.begin(), std::min(text.size(), id.size()), id.begin());
  return id;
}

std::string text_of(const Id& id) { return {id.begin(), std::find(id.begin(), id.end(), '\0')}; }

Status set_aside(const std::string& path) {
  if (std::rename(path.c_str(), (path + ".damaged").c_str()) == 0) return {};
  return Status::failed(path + " is damaged and cannot be set aside: " + std::strerror(errno));
}

}  // namespace

Result<std::unique_ptr<RecordLog>> RecordLog::open(
    const std::string& path, RecordLimits limits,
    const std::function<void(const std::string&)>& said) {
  std::unique_ptr<RecordLog> log(new RecordLog(path, limits));
  Status opened = log->check();
  if (log->ring_.is_damaged()) {
    if (Status aside = set_aside(path); !aside) return aside;
    said(path + " is damaged; it is now " + path + ".damaged, and a new one is begun");
    log.reset(new RecordLog(path, limits));
    opened = log->check();
  }
  if (!opened) return opened;
  return log;
}

Status RecordLog::check() {
  if (Status opened = file_.open(); !opened) return opened;
  return locked([this] { return ring_.check(); });
}

bool RecordLog::is_there() {
  const std::lock_guard lock(mutex_);
  return !ring_.is_damaged() && file_.is_there();
}

bool RecordLog::is_quiet() {
  const std::lock_guard lock(mutex_);
  return ring_.is_quiet();
}

Status RecordLog::locked(const std::function<Status()>& work) {
  const std::lock_guard lock(mutex_);
  if (Status begun = ring_.begin(); !begun) return begun;
  Status done = work();
  ring_.end();
  return done;
}

std::int64_t RecordLog::oldest() const { return system_ms() - limits_.age.count(); }

Status RecordLog::remove_old() {
  const std::int64_t oldest = this->oldest();
  while (ring_.head().frames > 0 && ring_.head().oldest_ms < oldest) {
    if (Status done = ring_.remove_oldest(); !done) return done;
  }
  return {};
}

Status RecordLog::append(const Record& record) {
  if (RecordFrame::size_of(record.head, record.body) > limits_.bytes) {
    return {GANTRY_TOO_BIG, "the record is larger than all may be together"};
  }
  if (!is_id(record.id) || !is_id(record.replaces)) return Status::invalid("the id is too long");
  RecordFrame frame;
  frame.id = id_of(record.id);
  frame.replaces = id_of(record.replaces);
  return locked([&]() -> Status {
    if (Status done = remove_old(); !done) return done;
    frame.made_ms = system_ms();
    if (Status done = ring_.add(frame, record.head, record.body); !done) return done;
    last_id_ = record.id;
    last_number_ = ring_.head().next_number - 1;
    return {};
  });
}

Result<std::optional<PlacedFrame>> RecordLog::newest_that(
    const std::function<bool(const PlacedFrame&)>& fits) {
  std::optional<PlacedFrame> found;
  const Status done = ring_.walk([&](const PlacedFrame& one) {
    if (one.frame.state != RecordFrame::State::dropped && fits(one)) found = one;
    return !found;
  });
  if (!done) return done;
  return found;
}

Result<std::optional<PlacedFrame>> RecordLog::placed(const std::string& id) {
  if (!is_id(id)) return std::optional<PlacedFrame>();
  return newest_that([id = id_of(id)](const PlacedFrame& one) { return one.frame.id == id; });
}

Result<RecordLog::Entry> RecordLog::entry_of(const PlacedFrame& one) {
  auto head = bytes_at(one.at + sizeof one.frame, one.frame.head_size);
  if (!head) return head.status();
  return Entry{one.frame.number, text_of(one.frame.id), *std::move(head),
               ring_.head().is_pending(one.frame)};
}

Result<std::string> RecordLog::bytes_at(std::uint64_t at, std::uint64_t size) {
  std::string bytes(size, '\0');
  const Status done = size == 0 ? Status() : ring_.read(at, bytes.data(), bytes.size());
  return done ? Result<std::string>(std::move(bytes)) : done;
}

Status RecordLog::settle(const std::string& id, bool is_kept) {
  return locked([&]() -> Status {
    const bool is_first = is_kept && id == last_id_ && ring_.head().settled == last_number_;
    if (is_first) return ring_.keep_first();
    const auto found = placed(id);
    if (!found || !*found) return found.status();
    return is_kept ? ring_.keep(**found) : ring_.drop(**found);
  });
}

Result<std::vector<RecordLog::Entry>> RecordLog::newest(std::int64_t before, std::size_t most) {
  std::vector<Entry> entries;
  const Status done = locked([&]() -> Status {
    Status read;
    const std::int64_t oldest = this->oldest();
    const Status walked = ring_.walk([&](const PlacedFrame& one) {
      const bool is_shown = one.frame.number < before && one.frame.made_ms >= oldest &&
                            one.frame.state != RecordFrame::State::dropped;
      if (!is_shown) return true;
      auto entry = entry_of(one);
      if (entry) entries.push_back(*std::move(entry));
      read = entry.status();
      return read && entries.size() < most;
    });
    return read ? walked : read;
  });
  return done ? Result<std::vector<Entry>>(std::move(entries)) : done;
}

Result<std::vector<RecordLog::Entry>> RecordLog::pending() {
  std::vector<Entry> entries;
  if (is_quiet()) return entries;
  const Status done = locked([&]() -> Status {
    Status read;
    const Status walked = ring_.walk([&](const PlacedFrame& one) {
      if (one.frame.number < ring_.head().settled) return false;
      if (!ring_.head().is_pending(one.frame)) return true;
      auto entry = entry_of(one);
      if (entry) entries.push_back(*std::move(entry));
      read = entry.status();
      return bool(read);
    });
    return read ? walked : read;
  });
  if (!done) return done;
  std::reverse(entries.begin(), entries.end());
  return entries;
}

Result<std::optional<RecordLog::Entry>> RecordLog::find(const std::string& id) {
  std::optional<Entry> entry;
  const Status done = locked([&]() -> Status {
    const auto found = placed(id);
    if (!found || !*found || (*found)->frame.made_ms < oldest()) return found.status();
    auto read = entry_of(**found);
    if (read) entry = *std::move(read);
    return read.status();
  });
  return done ? Result<std::optional<Entry>>(std::move(entry)) : done;
}

Result<std::string> RecordLog::body(const std::string& id) {
  std::string bytes;
  const Status done = locked([&]() -> Status {
    const auto found = placed(id);
    if (!found || !*found) return found.status();
    const RecordFrame& frame = (*found)->frame;
    auto read = bytes_at((*found)->at + sizeof frame + frame.head_size, frame.body_size);
    if (read) bytes = *std::move(read);
    return read.status();
  });
  return done ? Result<std::string>(std::move(bytes)) : done;
}

// A list asks for each of its records, and few records take others back.
Status RecordLog::note_replacing() {
  if (ring_.head().next_number < noted_) {  // the file was emptied
    noted_ = 0;
    replacing_.clear();
  }
  std::vector<PlacedFrame> found;
  const Status done = ring_.walk([&](const PlacedFrame& one) {
    if (one.frame.number < noted_) return false;
    if (one.frame.replaces != Id()) found.push_back(one);
    return true;
  });
  if (!done) return done;
  noted_ = ring_.head().next_number;
  if (found.empty()) return {};
  std::erase_if(replacing_, [this](const PlacedFrame& one) {
    return ring_.now(one).state == RecordFrame::State::dropped;
  });
  replacing_.insert(replacing_.end(), found.rbegin(), found.rend());
  return {};
}

Result<std::string> RecordLog::replacement(const std::string& id) {
  if (!is_id(id)) return std::string();
  std::string by;
  const Status done = locked([&]() -> Status {
    if (Status noted = note_replacing(); !noted) return noted;
    for (const PlacedFrame& one : replacing_) {
      const bool fits = one.frame.replaces == id_of(id) && ring_.head().is_kept(ring_.now(one));
      if (fits) by = text_of(one.frame.id);
    }
    return {};
  });
  return done ? Result<std::string>(std::move(by)) : done;
}

}  // namespace gantry::data
