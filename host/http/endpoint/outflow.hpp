// host/http/endpoint/outflow.hpp: sends a download to its client. A part is read when the part
// before it has been sent, so at most two parts are in memory, however large the download is.
//
// It owns itself while it waits for a part or for the client; a client that disconnects ends it.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "host/http/endpoint/byte_range.hpp"
#include "host/http/endpoint/reply.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/items/download.hpp"

namespace gantry::host::http {

// The part of a download that a request names, and whether it wants it.
struct RangeRequest {
  std::string tag;    // the ETag of the answer: equal tags, equal bytes
  std::string range;  // the header Range, or empty where it is to be ignored
  int status = 0;     // that answers in place of the bytes (conditions.hpp); 0: none
};

class Outflow final : public std::enable_shared_from_this<Outflow> {
 public:
  using Source = std::shared_ptr<rpc::Download>;

  Outflow(Reply reply, Source source, Gate::Place place, RangeRequest wanted)
      : reply_(std::move(reply)),
        source_(std::move(source)),
        place_(std::move(place)),
        wanted_(std::move(wanted)) {}
  // Writes the download's line of the audit log.
  ~Outflow();

  void begin();

  // The one answer for unknown and expired downloads and for those of other agents.
  static void refuse_missing(Reply& reply);

 private:
  using Fault = rpc::Download::Fault;
  using About = rpc::Download::About;

  void opened(std::variant<About, Fault> about);
  void answer();
  void out_of_range();
  void answer_without_bytes();
  void pull();
  void took(std::variant<std::string, Fault> part);
  void fail(Fault fault);

  Reply reply_;
  const Source source_;
  const Gate::Place place_;
  const RangeRequest wanted_;
  // Used by one thread at a time.
  About about_;
  ByteRange range_;
  std::size_t part_ = 0;
  std::uint64_t at_ = 0;  // of the whole: the next byte to send
  std::string_view code_ = "cancelled";
};

}  // namespace gantry::host::http
