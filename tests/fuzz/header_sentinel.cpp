// A value in a header of the modern era, and an argument that travels in one. The first line of an
// input is the argument's JSON text, the rest the header's value.
#include <cmath>
#include <string>

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/base/numbers.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/headers.hpp"
#include "host/rpc/message/param_headers.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using host::rpc::header_text;

class OneHeader final : public host::rpc::Headers {
 public:
  explicit OneHeader(std::string_view value) : value_(value) {}
  std::optional<std::string_view> get(std::string_view name) const override {
    return name == "mcp-param-a" ? std::optional(value_) : std::nullopt;
  }

 private:
  const std::string_view value_;
};

// The header value of a client that wraps every text.
std::string wrapped(std::string_view text) {
  std::string out = "=?base64?";
  host::append_base64(out, text);
  return out + "?=";
}

bool is_wrapped(std::string_view value) {
  return value.size() >= 11 && value.starts_with("=?base64?") && value.ends_with("?=");
}

void check_base64(std::string_view bytes) {
  std::string text;
  host::append_base64(text, bytes);
  require(host::from_base64(text) == bytes, "Base64 of our own gives the bytes back");
  const auto decoded = host::from_base64(bytes);
  if (!decoded) return;
  std::string again;
  host::append_base64(again, *decoded);
  require(again == bytes, "no two Base64 texts mean the same bytes");
}

void check_value(std::string_view value) {
  const auto text = header_text(value);
  if (text) {
    require(host::is_utf8(*text), "a header's text is UTF-8");
    require(is_wrapped(value) ? wrapped(*text) == value : *text == value,
            "a header says its text or wraps it, in one way only");
  }
  const auto back = header_text(wrapped(value));
  require(back.has_value() == host::is_utf8(value), "what is UTF-8 can be wrapped");
  require(!back || *back == value, "what is wrapped comes back");
}

bool accepted(const rapidjson::Value& arguments, std::string_view header) {
  const std::vector<host::rpc::ParamHeader> expected = {{"mcp-param-a", "Mcp-Param-A", {"a"}}};
  return !check_param_headers(expected, &arguments, OneHeader(header));
}

// The argument as a client writes it into a header; nothing when it does not travel so.
std::optional<std::string> as_header(const rapidjson::Value& value) {
  if (value.IsString()) return std::string(value.GetString(), value.GetStringLength());
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsInt64()) return std::to_string(value.GetInt64());
  if (value.IsUint64()) return std::to_string(value.GetUint64());
  return std::nullopt;
}

// A decimal integer in its only form.
bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos &&
         (text.front() != '0' || text == "0");
}

void check_argument(const rapidjson::Value& value, const rapidjson::Value& arguments,
                    std::string_view header) {
  const auto right = as_header(value);
  if (!right) return;
  if (!value.IsString() || host::is_utf8(*right)) {
    require(accepted(arguments, wrapped(*right)), "an argument's own text is accepted, wrapped");
  }
  if (header_text(*right) == right) {
    require(accepted(arguments, *right), "an argument's own text is accepted as it is");
  }
  if (!accepted(arguments, header)) return;
  const auto said = header_text(header);
  require(said.has_value(), "a header that cannot be read agrees with nothing");
  if (!value.IsNumber() || is_integer(*said)) {
    require(said == right || (said == "-0" && right == "0"), "another text is refused");
  }
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace gantry::fuzz;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto line = input.substr(0, input.find('\n'));
  const auto value = line.size() < size ? input.substr(line.size() + 1) : std::string_view();
  check_base64(value);
  check_value(value);

  const std::string object = "{\"a\":" + std::string(line) + "}";
  if (gantry::host::unreadable_number(object)) return 0;  // never becomes an argument
  rapidjson::Document arguments;
  arguments.Parse<rapidjson::kParseValidateEncodingFlag>(object.data(), object.size());
  if (arguments.HasParseError() || !arguments.HasMember("a")) return 0;
  check_argument(arguments["a"], arguments, value);
  return 0;
}
