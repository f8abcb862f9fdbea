// Fuzzes the bytes of one connection: every way to cut them gives the same requests and the same
// refusal, and the reader keeps no more than its limits. The first four bytes of an input are the
// sizes of the pieces; the rest is the wire.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "host/http/parser.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using host::http::Limits;
using host::http::Parser;
using host::http::Request;

// Small, so that short inputs reach them.
constexpr std::size_t kHead = 200, kHeaders = 8, kBody = 300;

const Limits& limits() {
  static const Limits small = [] {
    Limits l;
    l.head_bytes = kHead;
    l.headers = kHeaders;
    l.body_bytes = kBody;
    return l;
  }();
  return small;
}

using Cuts = std::array<std::size_t, 4>;  // sizes of the pieces, used in turn

bool is_line_safe(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

void check_fields(const Request& request) {
  std::size_t hosts = 0, text = request.method().size() + request.target().size();
  for (std::size_t i = 0; i < request.header_count(); ++i) {
    const auto [name, value] = request.header_at(i);
    text += name.size() + value.size();
    hosts += name == "host" ? 1 : 0;
    const bool lower = std::none_of(name.begin(), name.end(),
                                    [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
    require(!name.empty() && lower, "a field's name is in lower case and has no underscore");
    require(is_line_safe(name) && is_line_safe(value), "a field stays on its line");
  }
  require(request.header_count() <= kHeaders, "no more fields than the limit are kept");
  require(text <= kHead, "no more of a head than the limit is kept");
  require(hosts == 1 || (hosts == 0 && request.http_minor() == 0), "HTTP/1.1 has one Host");
}

void check(const Request& request) {
  const auto target = request.target();
  require(!request.method().empty(), "a request has a method");
  require(target.starts_with('/') || (target == "*" && request.method() == "OPTIONS"),
          "a target is a path");
  require(is_line_safe(target) && target.find(' ') == target.npos, "a target is one word");
  check_fields(request);
  const auto length = request.header("content-length");
  require(!length || !request.header("transfer-encoding"), "a body is framed in one way");
  if (length) {
    require(request.body.size() == std::stoull(std::string(*length)),
            "a body is as long as was announced");
  }
  if (!length && !request.header("transfer-encoding")) {
    require(request.body.empty(), "a body is announced");
  }
}

std::string described(Parser& parser) {
  const Request& request = parser.request();
  std::string text = std::string(request.method()) + ' ' + std::string(request.target()) + ' ' +
                     std::to_string(request.http_minor()) + (parser.keep_alive() ? " keep" : "") +
                     (parser.expects_continue() ? " continue" : "") + '\n';
  for (std::size_t i = 0; i < request.header_count(); ++i) {
    const auto [name, value] = request.header_at(i);
    text.append(name).append(":").append(value).append("\n");
  }
  return text + '\n' + request.body + '\n';
}

// One connection as the server reads it.
class Reading {
 public:
  // More bytes came. False: the input was refused.
  bool take(std::string_view piece) {
    unused_.insert(unused_.end(), piece.begin(), piece.end());
    std::size_t used = 0;
    bool more = false;
    while (!more && !refused_ && used < unused_.size()) used += step(used, more);
    // A copy of exactly this size: reading past it is seen.
    unused_ = std::vector<char>(unused_.begin() + static_cast<std::ptrdiff_t>(used), unused_.end());
    return !refused_;
  }

  // All requests and refusals, and the unfinished request at the end of the input.
  std::string outcome() {
    if (refused_) return seen_;
    return seen_ + "left " + std::to_string(unused_.size()) + ", body so far " +
           std::to_string(parser_.request().body.size());
  }

 private:
  std::size_t step(std::size_t used, bool& more) {
    const std::size_t left = unused_.size() - used;
    const auto step = parser_.feed({unused_.data() + used, left});
    require(step.used <= left, "no more is used than there is");
    require(parser_.request().body.size() <= kBody, "no more of a body than the limit is kept");
    switch (step.event) {
      case Parser::Event::more:
        require(left - step.used <= kHead + 2, "no more input than a head is kept");
        more = true;
        break;
      case Parser::Event::head:
        require(parser_.in_body(), "a body follows the head that needs one");
        seen_ += "head\n";
        break;
      case Parser::Event::complete:
        check(parser_.request());
        seen_ += described(parser_);
        parser_.next();
        break;
      case Parser::Event::refused:
        require(parser_.refusal().status >= 400, "a refusal has a status");
        require(!parser_.refusal().why.empty(), "a refusal has a reason");
        seen_ += std::to_string(parser_.refusal().status) + std::string(parser_.refusal().why);
        refused_ = true;
        break;
      case Parser::Event::oversize:
        require(!parser_.request().method().empty(), "what is too large has its head");
        seen_ += "oversize\n";
        refused_ = true;
        break;
    }
    return step.used;
  }

  Parser parser_{limits()};
  std::vector<char> unused_;
  std::string seen_;
  bool refused_ = false;
};

std::string read(std::string_view wire, const Cuts& cuts) {
  Reading reading;
  for (std::size_t i = 0; !wire.empty(); ++i) {
    const auto piece = wire.substr(0, cuts[i % cuts.size()]);
    wire.remove_prefix(piece.size());
    if (!reading.take(piece)) break;
  }
  return reading.outcome();
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace gantry::fuzz;
  Cuts cuts{};
  if (size < cuts.size()) return 0;
  std::transform(data, data + cuts.size(), cuts.begin(),
                 [](unsigned char c) { return c > '0' ? c - std::size_t{'0'} : 1; });
  const std::string_view wire(reinterpret_cast<const char*>(data) + cuts.size(),
                              size - cuts.size());
  const std::string whole = read(wire, {wire.size(), 1, 1, 1});
  require(read(wire, {1, 1, 1, 1}) == whole, "byte by byte gives the same as in one piece");
  require(read(wire, cuts) == whole, "any pieces give the same as one");
  return 0;
}
