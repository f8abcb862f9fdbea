#include "host/rpc/message/message.hpp"

#include <algorithm>

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "host/base/numbers.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/recorder.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

std::string_view view(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

// The first name that occurs twice in one object, at any depth.
const Value* duplicate_name(const Value& value);

const Value* duplicate_among(const Value& object) {
  constexpr std::size_t kFew = 12;
  if (object.MemberCount() <= kFew) {
    for (auto a = object.MemberBegin(); a != object.MemberEnd(); ++a) {
      for (auto b = object.MemberBegin(); b != a; ++b) {
        if (view(a->name) == view(b->name)) return &a->name;
      }
    }
    return nullptr;
  }
  std::vector<const Value*> names;
  for (const auto& entry : object.GetObject()) names.push_back(&entry.name);
  std::sort(names.begin(), names.end(),
            [](const Value* a, const Value* b) { return view(*a) < view(*b); });
  const auto twice =
      std::adjacent_find(names.begin(), names.end(),
                         [](const Value* a, const Value* b) { return view(*a) == view(*b); });
  return twice == names.end() ? nullptr : *twice;
}

const Value* duplicate_name(const Value& value) {
  if (value.IsObject()) {
    if (const Value* name = duplicate_among(value)) return name;
    for (const auto& entry : value.GetObject()) {
      if (const Value* name = duplicate_name(entry.value)) return name;
    }
  } else if (value.IsArray()) {
    for (const auto& element : value.GetArray()) {
      if (const Value* name = duplicate_name(element)) return name;
    }
  }
  return nullptr;
}

bool is_integer_text(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<Error> Message::parse() {
  const auto beyond = make_readable(text_, mended_);
  if (beyond) text_ = mended_ = without_unreadable(text_);  // it is read for the id alone
  constexpr unsigned kFlags =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag;
  rapidjson::GenericReader<PlainRuns, rapidjson::UTF8<>, Pool> reader(&stack_pool_, 256);
  TextStream stream(text_);
  bool too_deep = false;
  auto read = [&](Document& document) {
    Recorder recorder(*this, document, stream);
    const bool good = !reader.Parse<kFlags>(stream, recorder).IsError();
    too_deep = recorder.too_deep();
    return good;
  };
  document_.Populate(read);
  if (beyond) {
    return Error::parse("the number at byte " + std::to_string(*beyond) +
                        " is beyond the range of doubles");
  }
  if (too_deep) {
    return Error::parse("nested deeper than " + std::to_string(kMaxDepth) + " levels");
  }
  if (reader.HasParseError()) {
    return Error::parse(std::string(rapidjson::GetParseError_En(reader.GetParseErrorCode())) +
                        " (at byte " + std::to_string(reader.GetErrorOffset()) + ")");
  }
  if (stream.Tell() != text_.size()) return Error::parse("a NUL byte follows the value");
  return take_apart();
}

std::optional<Error> Message::take_apart() {
  if (document_.IsArray()) {
    kind_ = Kind::batch;
    if (const Value* name = duplicate_name(document_)) {
      return Error::invalid_request("The name '" + std::string(view(*name)) +
                                    "' stands twice in one object");
    }
    return elements_.empty()
               ? std::optional(Error::invalid_request("An empty batch asks for nothing"))
               : std::nullopt;
  }
  if (!document_.IsObject()) return Error::invalid_request("A message is a JSON object");
  const Value* id = member(&document_, "id");
  if (id != nullptr && id_.empty()) {
    return Error::invalid_request("The member 'id' must be a string or an integer");
  }
  if (const Value* name = duplicate_name(document_)) {
    return Error::invalid_request("The name '" + std::string(view(*name)) +
                                  "' stands twice in one object");
  }
  if (text_of(member(&document_, "jsonrpc")) != "2.0") {
    return Error::invalid_request("The member 'jsonrpc' must be \"2.0\"");
  }
  const Value* method = member(&document_, "method");
  if (method == nullptr) {
    const bool result = member(&document_, "result") != nullptr;
    const bool error = member(&document_, "error") != nullptr;
    if (!result && !error) return Error::invalid_request("The member 'method' is missing");
    if (result && error) {
      return Error::invalid_request("An answer has 'result' or 'error', not both");
    }
    kind_ = Kind::response;
    return std::nullopt;
  }
  if (!method->IsString()) return Error::invalid_request("The member 'method' must be a string");
  method_ = view(*method);
  kind_ = id != nullptr ? Kind::request : Kind::notification;
  params_ = member(&document_, "params");
  if (params_ != nullptr && !params_->IsObject()) {
    params_ = nullptr;
    wrong_params_ = true;
    return Error::invalid_request("The member 'params' must be an object");
  }
  meta_ = param("_meta");
  return std::nullopt;
}

void Message::take_id(std::string_view text) {
  id_ = text.starts_with('"') || is_integer_text(text) ? text : std::string_view();
}

std::string Message::id_key() const {
  const Value* id = member(&document_, "id");
  return id == nullptr ? std::string() : rpc::id_key(*id);
}

std::string id_key(const Value& id) {
  if (id.IsString()) return "s" + std::string(view(id));
  if (id.IsInt64()) return "n" + std::to_string(id.GetInt64());
  if (id.IsUint64()) return "n" + std::to_string(id.GetUint64());
  return id.IsNumber() ? "n" + std::to_string(id.GetDouble()) : std::string();
}

const Value* Message::result() const { return member(&document_, "result"); }

const Value* Message::error() const { return member(&document_, "error"); }

std::optional<std::string_view> Message::id_text() const {
  return text_of(member(&document_, "id"));
}

const Value* Message::param(std::string_view name) const { return member(params_, name); }

const Value* Message::meta(std::string_view name) const { return member(meta_, name); }

const Value* member(const Value* value, std::string_view name) {
  if (value == nullptr || !value->IsObject()) return nullptr;
  for (const auto& entry : value->GetObject()) {
    if (view(entry.name) == name) return &entry.value;
  }
  return nullptr;
}

std::optional<std::string_view> text_of(const Value* value) {
  if (value == nullptr || !value->IsString()) return std::nullopt;
  return view(*value);
}

}  // namespace gantry::host::rpc
