// host/http/endpoint/session_sink.hpp: the answer of one request of a legacy session: JSON, or a
// stream of the session once a message precedes the answer. A client that disconnects cancels
// nothing: the stream continues until the client resumes it.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/reply.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/session_request.hpp"

namespace gantry::host::http {

// The parts of a request that its answer needs.
struct SessionRequest {
  std::shared_ptr<Session> session;
  std::string id, key;  // JSON text, and as the session's book has it
  Accepts accepts;
};

class SessionSink final : public rpc::Sink, public std::enable_shared_from_this<SessionSink> {
 public:
  // `streams` must outlive the sink: places for streams of running requests.
  SessionSink(Reply reply, Gate& streams, SessionRequest request);

  void notify(std::string message) override;
  bool request(std::string message) override;
  void answer(rpc::Answer answer) override;
  void started(RunningRequests::Cancel cancel) override;
  bool release() override;

 private:
  enum class Form { undecided, stream, json };

  bool open_stream();
  bool primes() const;
  // A late answer becomes a stream, which can be resumed.
  void stream_when_late();

  const Reply reply_;
  Gate& streams_;
  const SessionRequest request_;
  rpc::SessionRequest tracker_;
  std::mutex mutex_;  // of the members below; held while the form is chosen
  Form form_ = Form::undecided;
  std::uint64_t stream_ = 0;
};

}  // namespace gantry::host::http
