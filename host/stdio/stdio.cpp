#include "host/stdio/stdio.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "host/rpc/drain_filter.hpp"
#include "host/rpc/message/batch.hpp"
#include "host/rpc/message/classify.hpp"
#include "host/stdio/sink.hpp"

namespace gantry::host {

using rpc::Error;
using Kind = rpc::Message::Kind;

namespace {

constexpr std::chrono::milliseconds kForEver{-1};

}  // namespace

Stdio::Stdio(rpc::Dispatcher& dispatcher, const Principal& principal, const Clock& clock,
             Metrics& metrics, StdioOptions options)
    : dispatcher_(dispatcher),
      principal_(principal),
      clock_(clock),
      metrics_(metrics),
      options_(std::move(options)),
      output_(std::make_shared<StdioOutput>(options_.out, options_.max_listeners)),
      session_(std::make_shared<Session>(
          "", principal.name, SessionTerms{std::string(rpc::kModernRevision)}, clock.now())) {}

Stdio::~Stdio() = default;

void Stdio::run(int stop_fd) {
  output_->start();
  while (read_some(stop_fd, kForEver)) take_lines();
  finish();
}

// False: reading has ended.
bool Stdio::read_some(int stop_fd, std::chrono::milliseconds limit) {
  // No input is read while the client does not read its answers.
  const bool full = output_->has_more_than(options_.max_unread);
  pollfd ready[] = {
      {full ? -1 : options_.in, POLLIN, 0}, {stop_fd, POLLIN, 0}, {output_->news(), POLLIN, 0}};
  while (::poll(ready, 3, static_cast<int>(limit.count())) < 0) {
    if (errno != EINTR) return false;
  }
  if (ready[1].revents != 0) return false;
  if (ready[2].revents != 0) output_->forget_news();
  if (ready[0].revents == 0) return true;
  char bytes[64 * 1024];
  const ssize_t n = ::read(options_.in, bytes, sizeof bytes);
  if (n > 0) buffer_.append(bytes, static_cast<std::size_t>(n));
  if (n == 0 && !buffer_.empty()) buffer_ += '\n';  // a last line without its end
  if (n == 0) take_lines();
  const bool goes_on = n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
  ended_ = !goes_on;
  return goes_on;
}

void Stdio::take_lines() {
  std::size_t from = 0;
  for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n', from)) {
    const std::string_view line(buffer_.data() + from, end - from);
    from = end + 1;
    if (std::exchange(skipping_, false)) continue;
    if (line.size() > options_.max_line) {
      output_->line(
          Error::parse("a line is longer than " + std::to_string(options_.max_line) + " bytes")
              .to_message("null"));
    } else {
      on_line(line);
    }
  }
  buffer_.erase(0, from);
  if (skipping_) {
    buffer_.clear();
  } else if (buffer_.size() > options_.max_line) {
    output_->line(
        Error::parse("a line is longer than " + std::to_string(options_.max_line) + " bytes")
            .to_message("null"));
    skipping_ = true;
    buffer_.clear();
  }
}

void Stdio::on_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  rpc::Message message(line);
  const auto error = message.parse();
  metrics_.request(Metrics::Method(message.method()), 200);  // as HTTP would; here is no status
  if (error) {
    const bool no_envelope =
        pin_ == Pin::modern && message.has_wrong_params() && message.kind() == Kind::request;
    return refuse(message, no_envelope ? rpc::missing_envelope() : *error);
  }
  if (stopping_ && !rpc::accepted_while_draining(message))
    return refuse(message, Error::stopping());
  switch (message.kind()) {
    case Kind::request:
      return on_request(message);
    case Kind::batch:
      return on_batch(message);
    case Kind::notification:
      return dispatcher_.notification(message,
                                      {principal_, session_->protocol(), nullptr, session_.get()});
    case Kind::response:
      return dispatcher_.response(message,
                                  {principal_, session_->protocol(), nullptr, session_.get()});
  }
}

void Stdio::on_request(const rpc::Message& message) {
  if (session_->running().contains(message.id_key())) {
    return refuse(message, Error::id_in_use());
  }
  const bool initialize = message.method() == "initialize";
  if (pin_ == Pin::legacy && !initialize) return dispatch(message, session_->protocol());
  if (pin_ != Pin::legacy && rpc::has_envelope(message)) {
    const bool broken_handshake = initialize && pin_ == Pin::none && rpc::check_envelope(message);
    if (!broken_handshake) return modern(message);
  }
  if (initialize && pin_ != Pin::modern) return open_legacy(message);
  if (initialize) {
    const auto wanted = rpc::text_of(message.param("protocolVersion"));
    return refuse(message, Error::unsupported_version(wanted.value_or("")));
  }
  if (pin_ == Pin::modern) {
    return refuse(message, Error::envelope("params._meta needs '" + std::string(rpc::kVersionKey) +
                                           "' and '" + std::string(rpc::kCapabilitiesKey) + "'"));
  }
  if (message.method() == "ping") return dispatch(message, rpc::kLegacyRevisions.front());
  refuse(message, Error::invalid_request("Send initialize first, or an envelope in params._meta"));
}

void Stdio::modern(const rpc::Message& message) {
  auto error = rpc::check_envelope(message);
  if (!error) error = rpc::check_version(message);
  if (error) return refuse(message, *error);
  // A client may begin with discovery and fall back to the handshake.
  if (message.method() != "server/discover") pin_ = Pin::modern;
  dispatch(message, rpc::kModernRevision);
}

void Stdio::open_legacy(const rpc::Message& message) {
  const rpc::Negotiated agreed = rpc::negotiate(message);
  if (agreed.error) return refuse(message, *agreed.error);
  session_->end();  // a second handshake begins anew
  session_ =
      std::make_shared<Session>("", principal_.name, agreed.terms(), clock_.now(),
                                ReplayLimits{.events = 0});  // there is no way back to replay
  session_->streams().listen(std::make_shared<StdioEventSink>(output_), false);
  pin_ = Pin::legacy;
  dispatch(message, agreed.revision);
}

void Stdio::dispatch(const rpc::Message& message, std::string_view revision) {
  LineChannel channel(*this, message, revision == rpc::kModernRevision);
  auto now = dispatcher_.request(message, {principal_, revision, nullptr, session_.get()}, channel);
  if (now) output_->line(std::move(now->body));
}

void Stdio::on_batch(const rpc::Message& message) {
  if (pin_ != Pin::legacy || !rpc::Features(session_->protocol()).batches()) {
    return refuse(message, Error::invalid_request("Only revision 2025-03-26 has batches"));
  }
  if (const auto error = rpc::check_batch(message)) return refuse(message, *error);
  output_->answers().add();
  rpc::dispatch_batch(dispatcher_, message,
                      {principal_, session_->protocol(), nullptr, session_.get(), false}, session_,
                      [output = output_](std::string all) {
                        if (!all.empty()) output->line(std::move(all));
                        output->answers().remove();
                      });
}

void Stdio::refuse(const rpc::Message& message, const Error& error) {
  output_->line(error.to_message(message.id()));
}

// After a stop the client may answer open questions within the grace.
void Stdio::take_answers() {
  using std::chrono::milliseconds;
  stopping_ = true;
  const auto deadline = std::chrono::steady_clock::now() + options_.grace;
  while (output_->has_open_answers()) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= milliseconds::zero() || !read_some(-1, left)) return;
    take_lines();
  }
}

void Stdio::finish() {
  if (options_.on_end) options_.on_end();
  if (!ended_) take_answers();
  if (ended_) session_->client_requests().end();
  output_->answers().wait_for_none(std::chrono::steady_clock::now() + options_.grace);
  session_->end();
  output_->answers().wait_for_none(std::chrono::steady_clock::now() + options_.grace);
  output_->stop(options_.grace);
}

}  // namespace gantry::host
