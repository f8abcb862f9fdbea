#include "host/http/endpoint/outflow.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "host/http/endpoint/disposition.hpp"
#include "host/http/endpoint/route.hpp"

namespace gantry::host::http {
namespace {

std::string content_type_of(const rpc::Download::About& about) {
  const std::string& type = about.mime_type;
  if (type.empty()) return "application/octet-stream";
  const bool is_plain_text = type.starts_with("text/") && type.find(';') == std::string::npos;
  return is_plain_text ? type + "; charset=utf-8" : type;
}

}  // namespace

Outflow::~Outflow() { source_->record(code_, at_ - range_.first); }

void Outflow::begin() {
  reply_.exchange().on_disconnect([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->source_->cancel();
  });
  source_->about([self = shared_from_this()](auto about) { self->opened(std::move(about)); });
}

void Outflow::opened(std::variant<About, Fault> about) {
  if (const auto* fault = std::get_if<Fault>(&about)) return fail(*fault);
  if (wanted_.status != 0) return answer_without_bytes();
  about_ = std::move(std::get<About>(about));
  range_ = byte_range(wanted_.range, about_.bytes);
  at_ = range_.first;
  range_.kind == ByteRange::Kind::beyond ? out_of_range() : answer();
}

void Outflow::answer() {
  const bool is_part = range_.kind == ByteRange::Kind::part;
  const std::string place = disposition(about_.name);
  const std::string span = "bytes " + std::to_string(range_.first) + "-" +
                           std::to_string(range_.end - 1) + "/" + std::to_string(about_.bytes);
  const std::array<Header, 6> headers{{{"Content-Disposition", place},
                                       {"Cache-Control", "no-store"},
                                       {"X-Content-Type-Options", "nosniff"},
                                       {"Accept-Ranges", "bytes"},
                                       {"ETag", wanted_.tag},
                                       {"Content-Range", span}}};
  code_ = "";
  const Headers sent = Headers(headers).first(is_part ? 6 : 5);
  if (!reply_.open_body(is_part ? 206 : 200, content_type_of(about_), range_.end - range_.first,
                        sent)) {
    return;
  }
  code_ = "cancelled";
  const auto after = std::upper_bound(about_.starts.begin(), about_.starts.end(), at_);
  part_ = static_cast<std::size_t>(after - about_.starts.begin()) - 1;
  pull();
}

void Outflow::answer_without_bytes() {
  reply_.add_header("ETag", wanted_.tag);
  if (wanted_.status == 304) {
    code_ = "";
    reply_.add_header("Cache-Control", "no-store");
    return reply_.empty(304);
  }
  code_ = "invalid_argument";
  refuse(reply_, transport_error(wanted_.status,
                                 "If-Match names other bytes than the download's, "
                                 "whose ETag is " +
                                     wanted_.tag));
}

void Outflow::out_of_range() {
  code_ = "invalid_argument";
  reply_.add_header("Content-Range", "bytes */" + std::to_string(about_.bytes));
  refuse(reply_, transport_error(416, "The download has " + std::to_string(about_.bytes) +
                                          " bytes; the range begins behind them"));
}

// Reads the next part once the client has taken the one before.
void Outflow::pull() {
  if (reply_.exchange().backlog() > 0) {
    return reply_.exchange().when_drained([self = shared_from_this()] { self->pull(); });
  }
  source_->part(about_, part_,
                [self = shared_from_this()](auto part) { self->took(std::move(part)); });
}

void Outflow::took(std::variant<std::string, Fault> part) {
  if (const auto* fault = std::get_if<Fault>(&part)) return fail(*fault);
  std::string& text = std::get<std::string>(part);
  const std::uint64_t end = about_.end_of(part_++);
  if (end > range_.end) text.resize(text.size() - (end - range_.end));
  text.erase(0, text.size() - (std::min(end, range_.end) - at_));
  at_ += text.size();
  if (!reply_.exchange().write(std::move(text))) return;
  if (at_ < range_.end) {
    return reply_.exchange().when_drained([self = shared_from_this()] { self->pull(); });
  }
  code_ = "";
  reply_.exchange().close();
}

void Outflow::refuse_missing(Reply& reply) {
  refuse(reply, transport_error(404, "There is no such export, or not any more"));
}

// An answer that has begun can only be cut, by closing an incomplete body.
void Outflow::fail(Fault fault) {
  if (!reply_.exchange().is_open()) return;  // the client has gone
  switch (fault) {
    case Fault::missing:
      code_ = "not_found";
      refuse_missing(reply_);
      break;
    case Fault::busy:
      code_ = "busy";
      refuse(reply_, rpc::Error::busy());
      break;
    case Fault::broken:
      code_ = "internal_error";
      refuse(reply_, transport_error(500, "Reading the export failed"));
      break;
  }
  reply_.exchange().close();
}

}  // namespace gantry::host::http
