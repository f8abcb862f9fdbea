// host/auth/jwt/key_store.hpp: the keys of all issuers, from files and URLs.
//
// URLs are fetched on a thread of its own, one at a time; no other function waits for one. A
// request whose key may be in a set that is being fetched is parked and continues on that thread.
// Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/auth/jwt/fetch_keys.hpp"
#include "host/auth/jwt/key_source.hpp"
#include "host/auth/jwt/parked_requests.hpp"
#include "host/observe/log.hpp"

namespace gantry::host::jwt {

class KeyStore {
 public:
  // `clock` and `log` must outlive the store.
  KeyStore(const Clock& clock, FetchKeys fetch, Log& log);
  // Drops what is parked.
  ~KeyStore();
  KeyStore(const KeyStore&) = delete;
  KeyStore& operator=(const KeyStore&) = delete;

  // The sources from now on: URLs, else paths of files. Reads the files at once and begins to fetch
  // the URLs; sources that stay keep their keys. The error names a file that has no good keys; then
  // nothing changes.
  Status use(const std::vector<std::string>& locations);
  // Reads all files again. A bad one is logged, and its last good keys stay.
  void reload_files();
  // The paths of the files.
  std::vector<std::string> files() const;

  FoundKey find(const std::string& location, const std::optional<std::string>& kid,
                Algorithm algorithm);
  // Calls `ready` once, on the store's thread, after the fetch that find() reported, or soon if it
  // has ended since. False: too many wait. Dropped by stop_waiting() and the destructor.
  bool wait(const std::string& location, std::function<void()> ready);
  // Drops what is parked and waits for a callback that runs; wait() is false from now on.
  void stop_waiting() { parked_.close(); }

  // Grows with each change of a key set, and when the owner begins one because what it makes of the
  // keys has changed.
  std::uint64_t generation() const { return generation_; }
  void begin_generation() { ++generation_; }

 private:
  struct Job {
    std::string location;
    bool fetches = true;  // else its parked requests only continue
  };
  using Sources = std::map<std::string, KeySource, std::less<>>;

  Result<Sources> sources_of(const std::vector<std::string>& locations);
  void start(Job job);
  void take(const std::string& location, const Result<std::string>& text);
  void report(const std::string& location, const KeySource& source, const Status& error);
  void run();

  const Clock& clock_;
  const FetchKeys fetch_;
  Log& log_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<bool> stopping_{false};
  ParkedRequests parked_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable wake_;
  Sources sources_;
  std::deque<Job> jobs_;
  std::thread thread_;  // started by the first job
};

}  // namespace gantry::host::jwt
