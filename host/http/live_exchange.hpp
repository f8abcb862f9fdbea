// host/http/live_exchange.hpp (private): Exchange over a real connection.
//
// It knows its connection by descriptor and number; descriptors are reused, numbers never, so an
// answer that comes too late finds no connection instead of another client's.
#pragma once

#include <optional>

#include "host/http/connection_state.hpp"
#include "host/http/exchange.hpp"
#include "host/http/reply_life.hpp"
#include "host/http/stream_queue.hpp"
#include "host/http/wire.hpp"

namespace gantry::host::http {

class LiveExchange final : public Exchange, public std::enable_shared_from_this<LiveExchange> {
 public:
  LiveExchange(const LoopState& loop, Target target, AskedFor asked);
  ~LiveExchange() override;

  bool reply(int status, std::string_view content_type, Bytes body, Headers extra) override;
  bool open_stream(Headers extra) override;
  bool open_body(int status, std::string_view content_type, std::uint64_t length,
                 Headers extra) override;
  bool write(Bytes events) override;
  void close() override;
  std::size_t backlog() const override { return stream_.backlog(); }
  void when_drained(std::function<void()> drained) override {
    stream_.when_drained(std::move(drained));
  }
  void on_disconnect(std::function<void()> gone) override { life_.on_disconnect(std::move(gone)); }
  void when_late(std::function<void()> late) override { life_.when_late(std::move(late)); }
  bool is_open() const override { return life_.is_open(); }

  // For the connection, on its I/O thread.
  Target target() const { return target_; }
  StreamQueue& stream() { return stream_; }
  ReplyLife& life() { return life_; }
  void client_gone();

 private:
  using State = ReplyLife::State;

  ReplyHead head_of(int status, std::string_view content_type) const;
  bool send_claimed(const ReplyHead& head, Bytes body, Headers extra);
  bool begin_stream(const ReplyHead& head, Headers extra, std::optional<std::uint64_t> length);
  // Runs `work` on the connection's writer, at once inside its own on_request, else by the mailbox.
  template <class Work>
  bool on_writer(Work work);

  const std::shared_ptr<ServerState> server_;
  const std::shared_ptr<Mailbox> mailbox_;
  const Target target_;
  const AskedFor asked_;
  ReplyLife life_;
  StreamQueue stream_;
};

}  // namespace gantry::host::http
