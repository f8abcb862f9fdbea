#include "sql/row_access.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "values/extended_json.hpp"
#include "values/matcher.hpp"
#include "values/pointer.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// Missing: not JSON.
Value json_of(const StoredValue& stored) {
  if (!stored.is_text()) return {};
  auto read = read_extended(stored.bytes, {.keep_first_duplicate = true});
  return read ? std::move(*read) : Value();
}

// The texts of a JSON array of texts without escapes, in ASCII; nothing: it may be another JSON.
class PlainTexts {
 public:
  explicit PlainTexts(std::string_view json) : json_(json) {}

  // Whether one of them is a reader.
  std::optional<bool> name_one_of(const std::vector<std::string>& readers) {
    if (!takes('[')) return std::nullopt;
    bool is_named = false;
    if (!takes(']')) {
      do {
        const auto text = next_text();
        if (!text) return std::nullopt;
        is_named = is_named || std::find(readers.begin(), readers.end(), *text) != readers.end();
      } while (takes(','));
      if (!takes(']')) return std::nullopt;
    }
    return at_ == json_.size() ? std::optional(is_named) : std::nullopt;
  }

 private:
  bool takes(char c) {
    while (at_ < json_.size() && json_[at_] == ' ') ++at_;
    if (at_ == json_.size() || json_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::optional<std::string_view> next_text() {
    if (!takes('"')) return std::nullopt;
    const std::size_t begin = at_;
    while (at_ < json_.size() && json_[at_] >= ' ' && json_[at_] <= '~' && json_[at_] != '\\' &&
           json_[at_] != '"') {
      ++at_;
    }
    if (at_ == json_.size() || json_[at_] != '"') return std::nullopt;
    return json_.substr(begin, at_++ - begin);
  }

  std::string_view json_;
  std::size_t at_ = 0;
};

class AclMatcher final : public Matcher {
 public:
  AclMatcher(std::vector<std::string> readers, bool null_is_public)
      : readers_(std::move(readers)), null_is_public_(null_is_public) {}
  bool match(const StoredValue& stored) const override {
    if (stored.is_null()) return null_is_public_;
    const auto plain =
        stored.is_text() ? PlainTexts(stored.bytes).name_one_of(readers_) : std::nullopt;
    return plain ? *plain : allows_reader(json_of(stored), readers_, false);
  }

 private:
  std::vector<std::string> readers_;
  bool null_is_public_;
};

class OwnerMatcher final : public Matcher {
 public:
  explicit OwnerMatcher(std::string id) : id_(std::move(id)) {}
  bool match(const StoredValue& stored) const override {
    return names_object(json_of(stored), id_);
  }

 private:
  std::string id_;
};

Fragment matches(std::shared_ptr<const Matcher> matcher, const std::string& column) {
  Fragment sql{"gantry_match(", {}};
  return std::move(sql.bind(std::move(matcher)).add(", " + column + ")"));
}

}  // namespace

Fragment equals_text(const Field& field, const std::string& text) {
  if (field.json) return {"0", {}};
  IdPart part{field.column, id_values(field, text), field.binary_collation};
  // "0x41" is a text here, not the bytes that it may spell, and a date is no number.
  std::erase_if(part.any_of, [&text](const Bind& value) {
    if (const auto* const other = std::get_if<std::string>(&value)) return *other != text;
    return std::holds_alternative<Bytes>(value) || id_text(stored_of(value)) != text;
  });
  return id_condition({part});
}

Fragment names_object(const Field& field, const std::string& id) {
  return field.json ? matches(std::make_shared<OwnerMatcher>(id), field.column)
                    : equals_text(field, id);
}

Fragment allows_reader(const std::string& column, const std::vector<std::string>& readers,
                       bool null_is_public) {
  return matches(std::make_shared<AclMatcher>(readers, null_is_public), column);
}

bool is_text(const Value& value, const std::string& text) {
  if (value.is_integral()) return std::to_string(value.integer()) == text;
  return value.is_string() && value.text() == text;
}

bool names_object(const Value& value, const std::string& id) {
  if (value.is_array()) {
    const Array& all = value.elements();
    return std::any_of(all.begin(), all.end(), [&id](const Value& one) {
      return !one.is_array() && names_object(one, id);
    });
  }
  const Value& key = pointer_id(value);
  return is_text(key.is_missing() ? value : key, id);
}

bool allows_reader(const Value& acl, const std::vector<std::string>& readers, bool null_is_public) {
  if (acl.is_nullish()) return null_is_public;
  if (!acl.is_array()) return false;
  const Array& all = acl.elements();
  // A list that holds anything else cannot be read.
  if (!std::all_of(all.begin(), all.end(), [](const Value& one) { return one.is_string(); })) {
    return false;
  }
  return std::any_of(all.begin(), all.end(), [&readers](const Value& one) {
    return std::find(readers.begin(), readers.end(), one.text()) != readers.end();
  });
}

}  // namespace gantry::data
