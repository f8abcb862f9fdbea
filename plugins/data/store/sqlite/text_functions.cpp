#include "store/sqlite/text_functions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data::sqlite {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kMostTrimmed = 100;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool is_blob(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

// Empty: NULL.
std::optional<std::string_view> text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return std::nullopt;
  return std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

std::string_view blob_of(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  return {bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// string_view::find() compares a part at each place of the text; for long parts memmem() does not.
std::size_t find_from(std::string_view text, std::string_view part, std::size_t at) {
  constexpr std::size_t kShort = 64;
  if (part.size() <= kShort) return text.find(part, at);
  const void* const found = ::memmem(text.data() + at, text.size() - at, part.data(), part.size());
  if (found == nullptr) return kNowhere;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// A part is found where a character begins, and at the start.
std::size_t find_text(std::string_view text, std::string_view part) {
  if (continues_character(part.front())) return text.starts_with(part) ? 0 : kNowhere;
  return find_from(text, part, 0);
}

// The number of the character at `at`, from 1.
sqlite3_int64 character_at(std::string_view text, std::size_t at) {
  sqlite3_int64 number = 1;
  for (std::size_t i = 1; i <= at; ++i) number += continues_character(text[i]) ? 0 : 1;
  return number;
}

// Bytes as text. SQLite makes the argument itself a text, also for other rows if it is a constant:
// bytes are copied before.
class TextCopy {
 public:
  explicit TextCopy(sqlite3_value* value)
      : copy_(is_blob(value) ? sqlite3_value_dup(value) : nullptr, sqlite3_value_free),
        value_(copy_ ? copy_.get() : value) {}
  std::string_view text() const { return text_of(value_).value_or(""); }

 private:
  std::unique_ptr<sqlite3_value, void (*)(sqlite3_value*)> copy_;
  sqlite3_value* value_;
};

void answer_place(sqlite3_context* context, std::string_view in, std::string_view part,
                  bool is_bytes) {
  if (part.empty()) return sqlite3_result_int(context, 1);
  const std::size_t at = is_bytes ? find_from(in, part, 0) : find_text(in, part);
  if (at == kNowhere) return sqlite3_result_int(context, 0);
  sqlite3_result_int64(context,
                       is_bytes ? static_cast<sqlite3_int64>(at) + 1 : character_at(in, at));
}

void call_instr(sqlite3_context* context, int, sqlite3_value** arguments) {
  const bool is_null = sqlite3_value_type(arguments[0]) == SQLITE_NULL ||
                       sqlite3_value_type(arguments[1]) == SQLITE_NULL;
  if (is_null) return;
  if (is_blob(arguments[0]) && is_blob(arguments[1])) {
    return answer_place(context, blob_of(arguments[0]), blob_of(arguments[1]), true);
  }
  const TextCopy in(arguments[0]), part(arguments[1]);
  answer_place(context, in.text(), part.text(), false);
}

bool is_too_big(sqlite3_context* context, std::size_t size) {
  const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  return size > static_cast<std::size_t>(most);
}

void call_replace(sqlite3_context* context, int, sqlite3_value** arguments) {
  const auto text = text_of(arguments[0]);
  const auto part = text_of(arguments[1]);
  if (!text || !part) return;
  if (part->empty() || part->front() == '\0') return sqlite3_result_value(context, arguments[0]);
  const auto other = text_of(arguments[2]);
  if (!other) return;
  std::string made;
  std::size_t done = 0;
  for (auto at = find_from(*text, *part, 0); at != kNowhere; at = find_from(*text, *part, done)) {
    made.append(text->substr(done, at - done)).append(*other);
    done = at + part->size();
    if (is_too_big(context, made.size())) return sqlite3_result_error_toobig(context);
  }
  made.append(text->substr(done));
  sqlite3_result_text64(context, made.data(), made.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The characters to trim.
class Trimmed {
 public:
  explicit Trimmed(std::string_view characters) {
    for (std::size_t at = 0; at < characters.size() && !are_too_many();) {
      std::size_t end = at + 1;
      if (static_cast<unsigned char>(characters[at]) >= 0xC0U) {
        while (end < characters.size() && continues_character(characters[end])) ++end;
      }
      const std::string_view one = characters.substr(at, end - at);
      if (std::find(list_.begin(), list_.end(), one) == list_.end()) list_.push_back(one);
      at = end;
    }
  }

  bool are_too_many() const { return list_.size() > kMostTrimmed; }

  // How many bytes one of them takes at the start or end of the text; 0: none.
  std::size_t at_start(std::string_view text) const {
    return size_of([text](std::string_view one) { return text.starts_with(one); });
  }
  std::size_t at_end(std::string_view text) const {
    return size_of([text](std::string_view one) { return text.ends_with(one); });
  }

 private:
  template <class Fits>
  std::size_t size_of(const Fits& fits) const {
    const auto found = std::find_if(list_.begin(), list_.end(), fits);
    return found == list_.end() ? 0 : found->size();
  }

  std::vector<std::string_view> list_;
};

enum Sides { start_side = 1, end_side = 2 };

void call_trim(sqlite3_context* context, int count, sqlite3_value** arguments) {
  auto text = text_of(arguments[0]);
  const auto characters = count == 1 ? std::optional<std::string_view>(" ") : text_of(arguments[1]);
  if (!text || !characters) return;
  const Trimmed trimmed(*characters);
  if (trimmed.are_too_many()) {
    return sqlite3_result_error(context, "trim() takes 100 different characters at most", -1);
  }
  const auto sides = reinterpret_cast<std::intptr_t>(sqlite3_user_data(context));
  std::size_t size = 0;
  while ((sides & start_side) != 0 && (size = trimmed.at_start(*text)) > 0)
    text->remove_prefix(size);
  while ((sides & end_side) != 0 && (size = trimmed.at_end(*text)) > 0) text->remove_suffix(size);
  sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

struct Named {
  const char* name;
  int arguments, sides;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr Named kFunctions[] = {{"instr", 2, 0, call_instr},
                                {"replace", 3, 0, call_replace},
                                {"trim", 1, start_side | end_side, call_trim},
                                {"trim", 2, start_side | end_side, call_trim},
                                {"ltrim", 1, start_side, call_trim},
                                {"ltrim", 2, start_side, call_trim},
                                {"rtrim", 1, end_side, call_trim},
                                {"rtrim", 2, end_side, call_trim}};

}  // namespace

int register_text_functions(sqlite3* db) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const Named& one : kFunctions) {
    auto* const sides = reinterpret_cast<void*>(static_cast<std::intptr_t>(one.sides));
    const int code = sqlite3_create_function_v2(db, one.name, one.arguments, kFlags, sides,
                                                one.call, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace gantry::data::sqlite
