// host/auth/jwt/parked_requests.hpp (private): requests that wait for the keys of a source.
//
// Any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::jwt {

class ParkedRequests {
 public:
  static constexpr std::size_t kMost = 64;

  // False: kMost wait, or close() was called.
  bool add(const std::string& location, std::function<void()> ready);
  // Calls those of `location` on this thread, without a lock.
  void resume(std::string_view location);
  // Drops all, and waits until none runs. Not from inside one.
  void close();

 private:
  struct Parked {
    std::string location;
    std::function<void()> ready;
  };

  std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<Parked> parked_;
  bool running_ = false, closed_ = false;
};

}  // namespace gantry::host::jwt
