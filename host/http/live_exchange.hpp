// host/http/live_exchange.hpp (private): Exchange over a real connection.
//
// It knows its connection by descriptor and number; descriptors are reused, numbers never, so
// what comes too late finds nothing instead of another client.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "host/http/exchange.hpp"
#include "host/http/loop_state.hpp"
#include "host/http/out_queue.hpp"
#include "host/http/wire.hpp"

namespace gantry::host::http {

class Connection;

struct Target {
  int fd = -1;
  std::uint64_t id = 0;
};

struct AskedFor {
  bool keep = true;   // the client wants the connection to go on
  bool head = false;  // the method was HEAD
  int minor = 1;
};

class LiveExchange final : public Exchange, public std::enable_shared_from_this<LiveExchange> {
 public:
  LiveExchange(const LoopState& loop, Target target, AskedFor asked);
  ~LiveExchange() override;

  bool reply(int status, std::string_view content_type, std::string body, Headers extra) override;
  bool reply(int status, std::string_view content_type, std::shared_ptr<const std::string> body,
             Headers extra) override;
  bool open_stream(Headers extra) override;
  bool open_body(int status, std::string_view content_type, std::uint64_t length,
                 Headers extra) override;
  bool write(std::string events) override;
  bool write(std::shared_ptr<const std::string> events) override;
  void close() override;
  std::size_t backlog() const override { return stuck_.load(); }
  void when_drained(std::function<void()> drained) override;
  void on_disconnect(std::function<void()> gone) override;
  void when_late(std::function<void()> late) override;
  bool is_open() const override;

  Target target() const { return target_; }
  // I/O thread: the events that wait to be written.
  std::vector<Piece> take();
  // I/O thread: the client has gone.
  void client_gone();
  // I/O thread: bytes of the stream that wait in the connection.
  void set_backlog(std::size_t bytes);
  // I/O thread: the answer has been pending for Limits::patience.
  void late();

 private:
  enum class State { pending, streaming, complete, gone };

  bool claim(State from, State to) { return state_.compare_exchange_strong(from, to); }
  bool keep() const;
  bool finish(int status, std::string_view content_type, Piece body, Headers extra);
  bool finish_claimed(int status, std::string_view content_type, Piece body, Headers extra);
  bool send_claimed(const ReplyHead& head, Piece body, Headers extra);
  bool begin_stream(const ReplyHead& head, Headers extra);
  ReplyHead head_of(int status, std::string_view content_type) const;
  bool refuse_headers();
  enum class Gathered { first, more, refused };

  bool enqueue(Piece events);
  Gathered gather(Piece events);
  void cut();
  void forget_callbacks();
  // Runs `work` on the connection, at once inside its own on_request, else by the mailbox.
  template <class Work>
  bool on_connection(Work work);

  const std::shared_ptr<ServerState> server_;
  const std::shared_ptr<Mailbox> mailbox_;
  const Target target_;
  const AskedFor asked_;
  std::atomic<State> state_{State::pending};
  std::atomic<std::size_t> backlog_{0};  // in the connection, or just on the way into it
  std::atomic<std::size_t> stuck_{0};    // in the connection, when it last told
  std::mutex mutex_;                     // for what follows
  std::vector<Piece> pending_;           // events on the way to the I/O thread
  std::size_t posted_ = 0;               // their cost
  bool is_sized_ = false;                // of a body,
  std::uint64_t missing_ = 0;            // bytes of it that were not written
  std::function<void()> gone_, drained_, late_;
};

}  // namespace gantry::host::http
