#include <gantry/testing/reply.hpp>

#include <rapidjson/document.h>

#include <gantry/testing/matchers.hpp>

namespace gantry::testing {

std::string Reply::text() const {
  std::string out;
  bool first = true;
  for (const auto& [type, body] : content) {
    if (type != "text") continue;
    out += (first ? "" : "\n") + body;
    first = false;
  }
  return out;
}

std::string Reply::part(std::string_view type) const {
  for (const auto& [name, body] : content) {
    if (name == type) return body;
  }
  return {};
}

std::ostream& operator<<(std::ostream& out, const Reply& reply) {
  out << "status " << reply.status;
  for (const Asked& asked : reply.asked) {
    out << "\n  asks '" << asked.key << "': " << asked.method << ' ' << asked.params;
  }
  if (reply.status < 0) {
    out << ", " << reply.error_code << ": " << reply.message;
    if (!reply.details.empty()) out << ' ' << reply.details;
  }
  for (const auto& [type, body] : reply.content) out << "\n  " << type << ": " << body;
  if (!reply.structured.empty()) out << "\n  structured: " << reply.structured;
  return out;
}

bool same_json(std::string_view left, std::string_view right) {
  rapidjson::Document a;
  rapidjson::Document b;
  a.Parse(left.data(), left.size());
  b.Parse(right.data(), right.size());
  return !a.HasParseError() && !b.HasParseError() && a == b;
}

}  // namespace gantry::testing
