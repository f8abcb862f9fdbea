// Fuzzes a JSON-RPC message that arrives by HTTP: parsing, era detection, batches. The lines before
// an empty line of the input are headers, `name: value` each; the rest is the body.
#include <algorithm>
#include <string>
#include <vector>

#include <rapidjson/document.h>

#include "host/base/numbers.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/batch.hpp"
#include "host/rpc/message/classify.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using namespace host::rpc;
using host::unreadable_number;
using host::with_plain_zeros;
using host::without_unreadable;
using rapidjson::Document;
using rapidjson::Value;

class LineHeaders final : public Headers {
 public:
  explicit LineHeaders(std::string_view lines) {
    while (!lines.empty()) {
      const auto line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
      const auto colon = line.find(':');
      if (colon == line.npos) continue;
      fields_.push_back(
          {host::lower(line.substr(0, colon)), host::trimmed(line.substr(colon + 1))});
    }
  }
  std::optional<std::string_view> get(std::string_view name) const override {
    for (const auto& [field, value] : fields_) {
      if (field == name) return value;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::pair<std::string, std::string_view>> fields_;
};

bool is_slice(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

// A second reader, with its own limits: none.
bool reads(Document& document, std::string_view text) {
  constexpr unsigned kFlags = rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  document.Parse<kFlags>(text.data(), text.size());
  return !document.HasParseError();
}

int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && in_string) ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

void check_error(const Error& error, std::string_view id) {
  Document answer;
  require(reads(answer, error.to_message(id)), "an error's answer is JSON");
  require(answer["error"]["code"].GetInt() == error.code, "an error's answer has its code");
  require(!error.message.empty() && error.status >= 200, "an error has a sentence and a status");
  Document sent;
  require(reads(sent, id) && sent == answer["id"], "an answer repeats the id");
}

void check_id(const Message& message, std::string_view text) {
  Document id;
  require(reads(id, message.id()), "an id's text is JSON");
  require(message.id() == "null" || is_slice(message.id(), text), "an id is a slice of the text");
}

// Of a message that is refused for a number: the id is the one sent, where that can be read.
void check_refused_id(const Message& message, std::string_view text) {
  Document id, whole;
  require(reads(id, message.id()), "an id's text is JSON");
  const std::string plain = without_unreadable(text);
  if (message.id() == "null" || !reads(whole, plain)) return;
  require(whole.IsObject(), "only an object has an id");
  const bool sent = std::any_of(whole.MemberBegin(), whole.MemberEnd(), [&](const auto& member) {
    return member.name == "id" && member.value == id;
  });
  require(sent, "a refused message keeps its id");
}

void check_parts(const Message& message, const Document& whole, std::string_view text) {
  Document part;
  const bool has_id = whole.HasMember("id");
  require(has_id == (message.id() != "null"), "a message has the id that was sent");
  if (has_id) require(reads(part, message.id()) && part == whole["id"], "an id is the one sent");
  require(!has_id || !message.id_key().empty(), "every id has a key");
  if (message.kind() == Message::Kind::response) return;
  require(message.method() ==
              std::string_view(whole["method"].GetString(), whole["method"].GetStringLength()),
          "a method is the one sent");
  const Value* arguments = message.param("arguments");
  const bool structured = arguments && (arguments->IsObject() || arguments->IsArray());
  require(structured == !message.arguments_text().empty(), "arguments have a text");
  if (!structured) return;
  require(is_slice(message.arguments_text(), text), "arguments are a slice of the text");
  require(reads(part, message.arguments_text()) && part == *arguments, "arguments are those sent");
}

// Values that stand in header and body agree.
void check_modern(const Message& message, const Headers& headers) {
  require(headers.get("mcp-protocol-version") == kModernRevision, "the revision's header is there");
  require(text_of(message.meta(kVersionKey)) == kModernRevision, "the envelope names the revision");
  require(message.meta(kCapabilitiesKey)->IsObject(), "the envelope has capabilities");
  require(headers.get("mcp-method") == message.method(), "the method's header agrees");
  const auto method = message.method();
  const bool by_name = method == "tools/call" || method == "prompts/get";
  if (!by_name && method != "resources/read") return;
  const auto body = text_of(message.param(by_name ? "name" : "uri"));
  const auto sent = headers.get("mcp-name");
  require(!body || (sent && header_text(*sent) == *body), "the name's header agrees");
}

void check_era(const Message& message, const Headers& headers) {
  if (message.kind() == Message::Kind::batch || message.kind() == Message::Kind::response) return;
  const Classified found = classify_http(message, headers);
  const bool said = headers.get("mcp-protocol-version") == kModernRevision;
  if (found.error) {
    require(found.era == Era::modern, "only the modern era has header rules");
    require(found.error->status == 400, "a message that contradicts itself is a bad request");
    check_error(*found.error, message.id());
  }
  if (message.kind() == Message::Kind::notification) {
    require(!found.error, "notifications have no header rules");
  } else if (found.era == Era::modern && !found.error) {
    check_modern(message, headers);
  }
  if (!said && !has_envelope(message)) require(found.era == Era::legacy, "the era is not guessed");
  if (said) require(found.era == Era::modern, "a header that names the modern era is believed");
}

void check_batch_of(const Message& batch, const Document& whole, std::string_view text) {
  require(whole.IsArray() && whole.Size() == batch.elements().size(), "a batch keeps its elements");
  const char* end = text.data();
  for (rapidjson::SizeType i = 0; i < whole.Size(); ++i) {
    const auto element = batch.elements()[i];
    const bool structured = whole[i].IsObject() || whole[i].IsArray();
    require(structured == !element.empty(), "an element that may be a message has a text");
    if (element.empty()) continue;
    require(is_slice(element, text) && element.data() >= end, "elements are slices, in order");
    end = element.data() + element.size();
    Document part;
    require(reads(part, element) && part == whole[i], "elements are those sent");
  }
  if (const auto error = check_batch(batch)) check_error(*error, "null");
}

void check_message(std::string_view text, const Headers& headers) {
  Message message(text);
  const auto error = message.parse();
  if (const auto plain = with_plain_zeros(text)) {
    Message again(*plain);
    require(again.parse().has_value() == error.has_value(), "a zero is a zero");
    return check_message(*plain, headers);
  }
  if (unreadable_number(text)) {
    require(error.has_value(), "what is misread is refused");
    return check_refused_id(message, text);
  }
  check_id(message, text);
  Document whole;
  const bool readable = reads(whole, text);
  if (error) {
    check_error(*error, message.id());
    require(readable || error->code == kParseError, "what is no JSON is a parse error");
    return;
  }
  require(readable, "only JSON is a message");
  require(depth_of(text) <= kMaxDepth, "only so much nesting is read");
  if (message.kind() == Message::Kind::batch) return check_batch_of(message, whole, text);
  check_parts(message, whole, text);
  check_era(message, headers);
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto gap = input.find("\n\n");
  const auto lines = gap == input.npos ? std::string_view() : input.substr(0, gap);
  const std::vector<char> body(input.begin() + (gap == input.npos ? 0 : gap + 2), input.end());
  gantry::fuzz::check_message({body.data(), body.size()}, gantry::fuzz::LineHeaders(lines));
  return 0;
}
