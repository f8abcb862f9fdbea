#include "host/observe/record_filter.hpp"

#include <rapidjson/reader.h>

namespace gantry::host {
namespace {

// Takes the members of one object, and passes over what stands in them.
class Facts : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Facts> {
 public:
  explicit Facts(RecordFacts& out) : out_(out) {}
  bool Default() { return true; }
  bool StartObject() {
    ++depth_;
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    --depth_;
    return true;
  }
  bool StartArray() { return StartObject(); }
  bool EndArray(rapidjson::SizeType count) { return EndObject(count); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ == 1) key_.assign(text, size);
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ != 1) return true;
    if (std::string* const member = member_of(key_)) member->assign(text, size);
    return true;
  }
  bool Bool(bool value) {
    if (depth_ == 1 && key_ == "success") out_.success = value;
    return true;
  }
  bool Int(int value) { return number(value); }
  bool Uint(unsigned value) { return number(value); }
  bool Int64(std::int64_t value) { return number(static_cast<double>(value)); }
  bool Uint64(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool Double(double value) { return number(value); }

 private:
  bool number(double value) {
    if (depth_ == 1 && key_ == "duration_ms") out_.duration_ms = value;
    if (depth_ == 1 && key_ == "approval_waited_ms") out_.waited_ms = value;
    return true;
  }
  std::string* member_of(std::string_view key) {
    if (key == "time") return &out_.time;
    if (key == "tool") return &out_.tool;
    if (key == "agent") return &out_.agent;
    if (key == "plugin") return &out_.plugin;
    if (key == "error_code") return &out_.error_code;
    if (key == "denial_kind") return &out_.denial_kind;
    if (key == "correlation_id") return &out_.correlation_id;
    return key == "audit_id" ? &out_.audit_id : nullptr;
  }

  RecordFacts& out_;
  int depth_ = 0;
  std::string key_;
};

bool is_in(std::string_view json, const std::string& wanted) {
  return wanted.empty() || json.find(wanted) != std::string_view::npos;
}

bool is_equal(const std::string& wanted, const std::string& found) {
  return wanted.empty() || wanted == found;
}

bool is_outcome(const std::string& wanted, const RecordFacts& facts) {
  if (wanted.empty()) return true;
  if (wanted == "ok") return facts.success;
  if (wanted == "denied") return facts.is_denied();
  if (wanted == "error") return !facts.success && !facts.is_denied();
  return facts.error_code == wanted;
}

// Names that JSON writes as they are can be looked for before the line is parsed.
bool is_plain_in_json(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == 0x7f ||
        static_cast<unsigned char>(c) >= 0x80) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool RecordFacts::is_denied() const {
  return error_code == "access_denied" || error_code == "permission_denied" || !denial_kind.empty();
}

bool read_record(std::string_view json, RecordFacts& out) {
  Facts facts(out);
  rapidjson::Reader reader;
  rapidjson::MemoryStream bytes(json.data(), json.size());
  return !reader.Parse<rapidjson::kParseIterativeFlag>(bytes, facts).IsError() && !out.tool.empty();
}

bool RecordFilter::wants(std::string_view json) const {
  for (const std::string* text : {&tool, &agent, &plugin, &denial_kind, &correlation_id}) {
    if (is_plain_in_json(*text) && !is_in(json, *text)) return false;
  }
  RecordFacts facts;
  if (!read_record(json, facts)) return false;
  const bool has_id = correlation_id.empty() || correlation_id == facts.correlation_id ||
                      correlation_id == facts.audit_id;
  return has_id && (from.empty() || facts.time >= from) && (to.empty() || facts.time < to) &&
         is_equal(tool, facts.tool) && is_equal(agent, facts.agent) &&
         is_equal(plugin, facts.plugin) && is_equal(denial_kind, facts.denial_kind) &&
         is_outcome(outcome, facts);
}

}  // namespace gantry::host
