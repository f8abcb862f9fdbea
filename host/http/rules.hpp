// host/http/rules.hpp (private): rules for request heads that are stricter than HTTP's grammar.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gantry::host::http {

// The refusal of a request: a status and a short sentence for the body. status 0: it is accepted.
struct Refusal {
  int status = 0;
  std::string_view why;

  explicit operator bool() const { return status != 0; }
};

// A request target in its parts, views of it.
struct TargetParts {
  std::string_view path;                      // with the query; "/" if the URI has none
  std::optional<std::string_view> authority;  // of the absolute form: "host" or "host:port"
};

// The size of "http://" or "https://" before the authority, in any case of letters; 0: the text
// begins with neither.
std::size_t http_scheme_size(std::string_view uri);

// "/…" in visible ASCII without fragment; the same behind "http://host" or "https://host" (RFC 9112
// section 3.2.2); "*" for OPTIONS. Fills `parts` unless it refuses.
Refusal check_target(std::string_view method, std::string_view target, TargetParts& parts);

// Checks the fields of one head as they come; remembers those that may occur once.
class HeadRules {
 public:
  void start(int http_minor) {
    *this = HeadRules();
    minor_ = http_minor;
  }
  Refusal field(std::string_view name, std::string_view value);
  // After the last field.
  Refusal finish() const;
  bool expects_continue() const { return expects_continue_; }

 private:
  Refusal host(std::string_view value);
  Refusal content_length(std::string_view value);
  Refusal transfer_encoding(std::string_view value);
  Refusal expect(std::string_view value);

  int minor_ = 1;
  bool host_ = false;
  bool length_ = false;
  bool encoding_ = false;
  bool expects_continue_ = false;
};

}  // namespace gantry::host::http
