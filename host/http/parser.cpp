#include "host/http/parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

namespace beast = boost::beast;
using BeastError = beast::http::error;

// Memory reserved at once for a body of an announced length.
constexpr std::uint64_t kTrustedLength = 64 * 1024;
// Empty lines before a request: clients send one after a body, or two.
constexpr std::size_t kEmptyLines = 4;

std::string_view plain(beast::string_view s) { return {s.data(), s.size()}; }

bool ends_with_other_version(std::string_view line) {
  if (line.size() < 9) return false;
  auto v = line.substr(line.size() - 9);  // " HTTP/d.d"
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  bool ours = v == " HTTP/1.1" || v == " HTTP/1.0";
  return !ours && v.substr(0, 6) == " HTTP/" && digit(v[6]) && v[7] == '.' && digit(v[8]);
}

}  // namespace

// Beast's state machine, writing into our Request. One message each; see `Parser::next`.
class Parser::Beast {
 public:
  Beast(Parser& owner) : owner_(owner) { restart(); }

  void restart() {
    machine_.emplace(owner_);
    machine_->header_limit(
        static_cast<std::uint32_t>(std::min<std::size_t>(owner_.limits_.head_bytes, 1u << 30) + 4));
    machine_->body_limit(owner_.limits_.body_bytes);
  }
  std::size_t put(std::string_view data) {
    return machine_->put(boost::asio::const_buffer(data.data(), data.size()), error_);
  }
  bool failed() const { return error_.failed() && error_ != BeastError::need_more; }
  bool is(BeastError e) const { return error_ == e; }
  bool done() const { return machine_->is_done(); }
  bool head_done() const { return machine_->is_header_done(); }
  bool keep_alive() const { return machine_->keep_alive(); }
  // The next bytes are a chunk's line, or the last one's with the trailers.
  bool at_chunk_line() const { return machine_->chunked() && machine_->chunk_left() == 0; }
  bool at_first_chunk() const { return machine_->chunks() == 0; }

 private:
  using Base = beast::http::basic_parser<true>;
  using Code = beast::error_code;

  class Machine final : public Base {
   public:
    explicit Machine(Parser& owner) : owner_(owner) {}
    std::uint64_t chunk_left() const { return chunk_left_; }
    std::size_t chunks() const { return chunks_; }

   private:
    void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                         int version, Code& ec) override {
      owner_.rules_.start(version % 10);
      TargetParts parts;
      stop_if(check_target(plain(method), plain(target), parts), ec);
      if (ec) return;
      owner_.request_.set_start(plain(method), parts.path, version % 10);
      if (parts.authority) owner_.request_.add_header("host", *parts.authority);
    }
    void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                       Code& ec) override {
      if (++fields_ > owner_.limits_.headers) {
        return stop_if({431, "Too many header fields."}, ec);
      }
      if (trailers_) return;
      stop_if(owner_.rules_.field(plain(name), plain(value)), ec);
      if (ec || name.find('_') != name.npos) return;
      // A second Host header is refused by the rules, so an earlier one is of the request target.
      const bool is_host = same_ignoring_case(plain(name), "host");
      const auto of_target = is_host ? owner_.request_.header("host") : std::nullopt;
      if (!of_target) return owner_.request_.add_header(plain(name), plain(value));
      if (!same_ignoring_case(plain(value), *of_target)) {
        stop_if({400, "The Host header is not the host of the request target."}, ec);
      }
    }
    void on_header_impl(Code& ec) override {
      trailers_ = true;
      fields_ = 0;
      stop_if(owner_.rules_.finish(), ec);
    }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) override {
      if (length) owner_.request_.body.reserve(std::min(*length, kTrustedLength));
    }
    std::size_t on_body_impl(beast::string_view bytes, Code&) override { return take(bytes); }
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, Code&) override {
      chunk_left_ -= bytes.size();
      return take(bytes);
    }
    void on_chunk_header_impl(std::uint64_t size, beast::string_view extensions,
                              Code& ec) override {
      chunk_left_ = size;
      ++chunks_;
      bool clean = std::all_of(extensions.begin(), extensions.end(),
                               [](char c) { return (c >= ' ' && c != 0x7f) || c == '\t'; });
      if (!clean) stop_if({400, "A chunk extension holds a control character."}, ec);
    }
    void on_finish_impl(Code&) override {}
    void on_response_impl(int, beast::string_view, int, Code&) override {}

    std::size_t take(beast::string_view bytes) {
      owner_.request_.body.append(bytes.data(), bytes.size());
      return bytes.size();
    }
    void stop_if(const Refusal& refusal, Code& ec) {
      if (!refusal) return;
      owner_.refusal_ = refusal;
      ec = BeastError::bad_value;
    }

    Parser& owner_;
    std::size_t fields_ = 0;
    std::size_t chunks_ = 0;
    std::uint64_t chunk_left_ = 0;  // bytes of the current one that have not come
    bool trailers_ = false;
  };

  Parser& owner_;
  std::optional<Machine> machine_;
  Code error_;
};

Parser::Parser(const Limits& limits) : limits_(limits), beast_(std::make_unique<Beast>(*this)) {}
Parser::~Parser() = default;

bool Parser::keep_alive() const { return beast_->keep_alive(); }

void Parser::next() {
  request_.clear();
  scan_.clear();
  chunk_scan_.clear();
  refusal_ = {};
  empty_lines_ = 0;
  in_body_ = false;
  beast_->restart();
}

Parser::Step Parser::feed(std::string_view data) { return in_body_ ? body(data) : head(data); }

Parser::Step Parser::head(std::string_view data) {
  const std::size_t skipped = empty_lines(data);
  data.remove_prefix(skipped);
  if (data == "\r") return {Event::more, skipped};
  // Bytes beyond the limit are ignored, so that the result does not depend on how many came at
  // once.
  switch (scan_.look(data.substr(0, limits_.head_bytes))) {
    case HeadScan::Found::bare_lf:
      return refuse(400, "A line does not end with CR LF.");
    case HeadScan::Found::folded:
      return refuse(400, "A header line starts with a blank.");
    case HeadScan::Found::more:
      return head_incomplete(data, skipped);
    case HeadScan::Found::end:
      break;
  }
  auto whole = data.substr(0, scan_.size());
  beast_->put(whole);
  if (beast_->is(BeastError::body_limit)) return too_large();
  if (beast_->failed() || !beast_->head_done()) return refuse_syntax(whole);
  in_body_ = true;
  return {beast_->done() ? Event::complete : Event::head, skipped + whole.size()};
}

// The bytes of empty lines before a request: they are not part of it, and do not begin it.
std::size_t Parser::empty_lines(std::string_view data) {
  std::size_t size = 0;
  for (; data.substr(size, 2) == "\r\n" && empty_lines_ < kEmptyLines; size += 2) ++empty_lines_;
  return size;
}

// `data` stays with the caller until the head is whole.
Parser::Step Parser::head_incomplete(std::string_view data, std::size_t skipped) {
  if (data.size() <= limits_.head_bytes) return {Event::more, skipped};
  if (scan_.first_line() == 0) return refuse(414, "The request line is too long.");
  return refuse(431, "The header fields are too large.");
}

Parser::Step Parser::body(std::string_view data) {
  std::size_t used = 0;
  while (!beast_->done() && used < data.size()) {
    auto part = data.substr(used);
    if (beast_->at_chunk_line()) {
      part = chunk_line(part);
      if (refusal_) return {Event::refused, 0};
      if (part.empty()) return {Event::more, used};
    }
    const std::size_t taken = beast_->put(part);
    if (beast_->is(BeastError::body_limit)) return too_large();
    if (beast_->failed() || taken == 0) return refuse_body();
    used += taken;
  }
  return {beast_->done() ? Event::complete : Event::more, used};
}

// The whole line of a chunk, with the trailers if it is the last; empty when more must come first.
std::string_view Parser::chunk_line(std::string_view data) {
  const auto found = chunk_scan_.look(data.substr(0, limits_.head_bytes), beast_->at_first_chunk());
  if (found == ChunkScan::Found::malformed) {
    refuse_body();
  } else if (found == ChunkScan::Found::more && data.size() > limits_.head_bytes) {
    refuse(431, "A chunk's line or the trailers are too large.");
  }
  if (found != ChunkScan::Found::end) return {};
  const auto line = data.substr(0, chunk_scan_.size());
  chunk_scan_.clear();
  return line;
}

Parser::Step Parser::refuse(int status, std::string_view why) {
  if (!refusal_) refusal_ = {status, why};
  return {Event::refused, 0};
}

Parser::Step Parser::refuse_syntax(std::string_view head) {
  if (beast_->is(BeastError::bad_version) &&
      ends_with_other_version(head.substr(0, head.find('\r')))) {
    return refuse(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
  }
  if (beast_->is(BeastError::bad_method) || beast_->is(BeastError::bad_target) ||
      beast_->is(BeastError::bad_version)) {
    return refuse(400, "The request line is malformed.");
  }
  if (beast_->is(BeastError::bad_content_length)) {
    return refuse(400, "Content-Length is not usable.");
  }
  return refuse(400, "A header field is malformed.");
}

// Beast reports a body's length before the end of the head: the head's own rules come first.
Parser::Step Parser::too_large() {
  refusal_ = rules_.finish();
  if (refusal_) return {Event::refused, 0};
  request_.body = {};
  return {Event::oversize, 0};
}

Parser::Step Parser::refuse_body() { return refuse(400, "The chunked body is malformed."); }

}  // namespace gantry::host::http
