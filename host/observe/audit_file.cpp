#include "host/observe/audit_file.hpp"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "host/observe/rotated_file.hpp"
#include "host/observe/utc.hpp"

namespace gantry::host {
namespace {

using Lines = std::vector<std::string>;

}  // namespace

// `file` and `is_failing` belong to the writer once it runs.
struct AuditFile::State {
  State(AuditFileOptions o, Log& l)
      : options(std::move(o)), log(l), file(options.path, options.keep, options.max_bytes) {}

  void run();
  void write(const Lines& lines, std::uint64_t refused);
  bool append(std::string_view text);
  void note_refused(std::uint64_t count);

  const AuditFileOptions options;
  Log& log;
  RotatedFile file;
  bool is_failing = false;
  std::uint64_t untold = 0;  // dropped records that the file does not mention yet

  std::mutex mutex;  // of the members up to `stopping`
  std::condition_variable ready, drained;
  Lines waiting;
  std::size_t waiting_bytes = 0;
  std::uint64_t refused = 0;  // records that found the queue full, since the writer last looked
  bool writing = false, stopping = false;
  std::atomic<std::uint64_t> dropped{0};  // never decreases
  std::thread writer;
};

void AuditFile::State::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-audit");
  std::unique_lock lock(mutex);
  for (;;) {
    ready.wait(lock, [this] { return stopping || !waiting.empty(); });
    if (waiting.empty()) break;
    const Lines batch = std::exchange(waiting, {});
    waiting_bytes = 0;
    const std::uint64_t more = std::exchange(refused, 0);
    writing = true;
    lock.unlock();
    write(batch, more);
    lock.lock();
    writing = false;
    drained.notify_all();
  }
  file.sync();
}

// Lines go to the disk together, but no more at once than a file may hold.
void AuditFile::State::write(const Lines& lines, std::uint64_t more) {
  if (more > 0) note_refused(more);
  std::string text;
  std::uint64_t count = 0;
  const auto send = [&] {
    if (count > 0 && !append(text)) {
      untold += count;
      dropped += count;
    }
    text.clear();
    count = 0;
  };
  for (const std::string& line : lines) {
    if (text.size() + line.size() >= file.max_bytes()) send();
    text += line;
    text += '\n';
    ++count;
  }
  send();
}

bool AuditFile::State::append(std::string_view text) {
  const auto now = options.now();
  std::string all;
  if (untold > 0) {
    all = "{\"time\":\"" + utc_time(now) + "\",\"dropped\":" + std::to_string(untold) + "}\n";
  }
  all += text;
  if (const Status written = file.append(all, now); !written) {
    if (!std::exchange(is_failing, true)) {
      log.write(Level::error, "the audit file takes no records; they are dropped and counted",
                {{"reason", written.message()}});
    }
    return false;
  }
  if (std::exchange(is_failing, false)) {
    log.write(Level::warn, "the audit file takes records again",
              {{"file", options.path.string()}, {"dropped", untold}});
  }
  untold = 0;
  return true;
}

// add() has counted them.
void AuditFile::State::note_refused(std::uint64_t count) {
  if (untold == 0 && !is_failing) {
    log.write(Level::error, "audit records are dropped: more come than the disk takes",
              {{"file", options.path.string()}});
  }
  untold += count;
}

Result<std::unique_ptr<AuditFile>> AuditFile::open(AuditFileOptions options, Log& log) {
  auto state = std::make_unique<State>(std::move(options), log);
  if (Status opened = state->file.open(); !opened) {
    return Status::invalid("audit.file: " + opened.message());
  }
  return std::unique_ptr<AuditFile>(new AuditFile(std::move(state)));
}

AuditFile::AuditFile(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->writer = std::thread([this] { state_->run(); });
}

AuditFile::~AuditFile() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->ready.notify_one();
  state_->writer.join();
}

void AuditFile::add(std::string&& line) noexcept {
  try {
    std::lock_guard lock(state_->mutex);
    if (state_->waiting_bytes + line.size() > state_->options.max_waiting_bytes) {
      ++state_->refused;
      ++state_->dropped;
      return;
    }
    state_->waiting_bytes += line.size();
    state_->waiting.push_back(std::move(line));
  } catch (...) {
    ++state_->dropped;
    return;
  }
  state_->ready.notify_one();
}

void AuditFile::flush() {
  std::unique_lock lock(state_->mutex);
  state_->drained.wait(lock, [this] { return state_->waiting.empty() && !state_->writing; });
}

std::string AuditFile::path() const { return state_->options.path.string(); }

std::uint64_t AuditFile::dropped() const { return state_->dropped; }

}  // namespace gantry::host
