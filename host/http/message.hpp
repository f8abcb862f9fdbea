// host/http/message.hpp: one HTTP request, as the rest of the host uses it.
//
// A Request owns all its bytes and may be moved to another thread; views taken from it live as
// long as it does and is not moved. Everything in it came from the network: well-formed HTTP, but
// not trusted. Values: no thread rules beyond those of std::string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::http {

// A header field. In a Request the name is in lower case.
struct Header {
  std::string_view name;
  std::string_view value;
};

class Request {
 public:
  // "POST", "GET", … exactly as sent; methods are case-sensitive.
  std::string_view method() const { return text(method_); }
  // The target as sent, never percent-decoded: "/mcp?x=1". Starts with "/", or is "*".
  std::string_view target() const { return text(target_); }
  // The target before the first "?", and the query after it (empty without one).
  std::string_view path() const;
  std::string_view query() const;
  // The first parameter of this name in the query, percent-encoded as it came; empty without one.
  std::string_view parameter(std::string_view name) const;
  // 1 for HTTP/1.1, 0 for HTTP/1.0.
  int http_minor() const { return minor_; }

  // The first field of that name (any case), without surrounding blanks; nothing when absent.
  // Fields with an underscore in their name are dropped: proxies turn underscores into dashes.
  std::optional<std::string_view> header(std::string_view name) const;
  std::size_t header_count() const { return fields_.size(); }
  Header header_at(std::size_t i) const { return {text(fields_[i].name), text(fields_[i].value)}; }

  // The whole body, chunks joined. Move it out where it is kept.
  std::string body;
  // The client's address without port: "127.0.0.1", "::1".
  std::string peer;
  // The connection of the request: a number that no other connection of this server ever has; 0:
  // none.
  std::uint64_t connection = 0;

  // Building, for the transport and for tests. `name` is stored in lower case.
  void set_start(std::string_view method, std::string_view target, int http_minor);
  void add_header(std::string_view name, std::string_view value);
  // Bytes of memory behind it.
  std::size_t held() const {
    return text_.capacity() + body.capacity() + fields_.capacity() * sizeof(Field);
  }
  // Empty again, with memory kept up to a modest size.
  void clear();

 private:
  struct Span {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Field {
    Span name;
    Span value;
  };
  std::string_view text(Span s) const { return std::string_view(text_).substr(s.at, s.size); }
  Span keep(std::string_view bytes);

  std::string text_;  // method, target, names and values, one after another
  std::vector<Field> fields_;
  Span method_, target_;
  int minor_ = 1;
};

}  // namespace gantry::host::http
