#include "host/auth/jwt/key_store.hpp"

#include <pthread.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace gantry::host::jwt {
namespace {

bool is_url_text(const std::string& location) { return location.find("://") != location.npos; }

Result<std::string> read_key_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return Status::invalid("the file cannot be read: " + error.message());
  if (size > KeySet::kMaxText) return Status::invalid("the file is larger than 256 KiB");
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in.is_open() || in.bad()) return Status::invalid("the file cannot be read");
  return text;
}

}  // namespace

KeyStore::KeyStore(const Clock& clock, FetchKeys fetch, Log& log)
    : clock_(clock), fetch_(std::move(fetch)), log_(log) {}

KeyStore::~KeyStore() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  parked_.close();
  if (thread_.joinable()) thread_.join();
}

Result<KeyStore::Sources> KeyStore::sources_of(const std::vector<std::string>& locations) {
  Sources out;
  for (const std::string& location : locations) {
    const auto kept = sources_.find(location);
    const bool is_new = kept == sources_.end();
    const auto [at, added] =
        out.emplace(location, is_new ? KeySource(is_url_text(location), clock_) : kept->second);
    if (!added || !is_new || at->second.is_url()) continue;
    Status error;
    at->second.take(read_key_file(location), error);
    if (!error) return Status::invalid(location + ": " + error.message());
    report(location, at->second, error);
  }
  return out;
}

Status KeyStore::use(const std::vector<std::string>& locations) {
  const std::lock_guard lock(mutex_);
  auto sources = sources_of(locations);
  if (!sources) return sources.status();
  sources_ = std::move(*sources);
  for (auto& [location, source] : sources_) {
    if (!source.is_url() || source.keys() || source.is_fetching()) continue;
    source.begin();
    start({location});
  }
  return {};
}

void KeyStore::reload_files() {
  for (const std::string& path : files()) take(path, read_key_file(path));
}

std::vector<std::string> KeyStore::files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [location, source] : sources_) {
    if (!source.is_url()) out.push_back(location);
  }
  return out;
}

FoundKey KeyStore::find(const std::string& location, const std::optional<std::string>& kid,
                        Algorithm algorithm) {
  const std::lock_guard lock(mutex_);
  const auto source = sources_.find(location);
  if (source == sources_.end()) return {};
  bool fetch = false;
  FoundKey found = source->second.find(kid, algorithm, fetch);
  if (fetch) {
    source->second.begin();
    start({location});
  }
  return found;
}

bool KeyStore::wait(const std::string& location, std::function<void()> ready) {
  const std::lock_guard lock(mutex_);
  if (!parked_.add(location, std::move(ready))) return false;
  const auto source = sources_.find(location);
  if (source == sources_.end() || !source->second.is_fetching()) start({location, false});
  return true;
}

void KeyStore::start(Job job) {
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  wake_.notify_one();
}

void KeyStore::take(const std::string& location, const Result<std::string>& text) {
  const std::lock_guard lock(mutex_);
  const auto source = sources_.find(location);
  if (source == sources_.end()) return;
  Status error;
  if (source->second.take(text, error)) {
    ++generation_;
  } else if (error) {
    return;  // the same keys as before
  }
  report(location, source->second, error);
}

void KeyStore::report(const std::string& location, const KeySource& source, const Status& error) {
  if (!error) {
    return log_.write(Level::warn,
                      source.keys() ? "token keys are not taken over; the last good ones stay"
                                    : "token keys cannot be read; their tokens are refused",
                      {{"source", location}, {"reason", error.message()}});
  }
  const KeySet& keys = *source.keys();
  if (keys.skipped() == 0) {
    return log_.write(Level::info, "token keys", {{"source", location}, {"keys", keys.size()}});
  }
  log_.write(Level::warn, "token keys; some cannot be used",
             {{"source", location},
              {"keys", keys.size()},
              {"skipped", keys.skipped()},
              {"first_reason", keys.first_reason()}});
}

void KeyStore::run() {
  pthread_setname_np(pthread_self(), "gantry-jwks");
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    if (job.fetches) take(job.location, fetch_(job.location, stopping_));
    parked_.resume(job.location);
    lock.lock();
  }
}

}  // namespace gantry::host::jwt
