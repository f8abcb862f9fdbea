// host/http/send_team.hpp (private): many small sends at once, shared with threads that help.
//
// A change that thousands of streams hear is as many system calls of some ten microseconds each:
// one I/O thread alone makes the last of them wait for all the others. Threads start with the first
// large send and sleep in between; without a spare processor there are none.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace gantry::host::http {

// Bytes for one socket.
struct Sending {
  int fd = -1;
  std::string_view bytes;
  ssize_t took = 0;  // how many the socket took; 0: it is full; negative: the peer is gone
};

class SendTeam {
 public:
  // `helpers`: threads beside the one that calls.
  explicit SendTeam(std::size_t helpers) : wanted_(helpers) {}
  ~SendTeam() { stop(); }
  SendTeam(const SendTeam&) = delete;
  SendTeam& operator=(const SendTeam&) = delete;

  // Sends all of it and says in each what the socket took. The descriptors stay the caller's, who
  // is back only when nobody uses them any more; none may occur twice. Any thread; whoever comes
  // while another one sends does it alone.
  void send(std::span<Sending> all);
  // Joins the threads; from then on everybody sends alone. Any thread but a helper.
  void stop();

 private:
  void start();
  void help();
  void take_part();

  std::mutex turn_;  // held by the one whose sendings are being shared
  std::vector<std::thread> threads_;
  std::size_t wanted_;

  std::span<Sending> all_;
  std::atomic<std::size_t> next_{0};  // of all_, for whoever takes part

  std::mutex mutex_;  // for what follows
  std::condition_variable begun_, left_;
  bool open_ = false;      // there is something to take part in
  bool stopping_ = false;  // helpers go home
  std::size_t inside_ = 0;
};

}  // namespace gantry::host::http
