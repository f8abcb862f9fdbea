#include "catalog/well_known.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "catalog/column_type.hpp"

namespace gantry::data {
namespace {

constexpr std::array<std::string_view, 4> kIds{"objectid", "id", "_id", "uuid"};

constexpr std::array<std::string_view, 10> kCreated{
    "createdat", "created_at",  "_created_at", "created",      "created_on",
    "createdon", "inserted_at", "insertedat",  "created_date", "creation_date"};

constexpr std::array<std::string_view, 10> kUpdated{
    "updatedat", "updated_at",  "_updated_at", "updated",  "updated_on",
    "updatedon", "modified_at", "modifiedat",  "modified", "last_modified"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, const std::string& lowered) {
  return std::find(names.begin(), names.end(), lowered) != names.end();
}

bool camel_ends(std::string_view name, std::string_view suffix) {
  return name.size() > suffix.size() && name.ends_with(suffix);
}

template <std::size_t N>
std::optional<std::size_t> pick(const ClassInfo& cls, std::string_view reserved,
                                const std::array<std::string_view, N>& names) {
  const Field* taken = cls.find(reserved);
  if (taken && taken->kind != Kind::date) return std::nullopt;
  for (const auto& wanted : names) {
    for (std::size_t i = 0; i < cls.fields.size(); ++i) {
      const bool is_date = cls.fields[i].kind == Kind::date && !cls.fields[i].internal;
      if (is_date && same_name(cls.fields[i].name, wanted)) return i;
    }
  }
  return std::nullopt;
}

// The field that the model states, if its values are dates.
std::optional<std::size_t> stated(const ClassInfo& cls, const std::string& name) {
  for (std::size_t i = 0; i < cls.fields.size(); ++i) {
    const bool is_date = cls.fields[i].kind == Kind::date && !cls.fields[i].internal;
    if (is_date && cls.fields[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> id_rank(std::string_view name) {
  const auto found = std::find(kIds.begin(), kIds.end(), lower(name));
  if (found == kIds.end()) return std::nullopt;
  return static_cast<int>(found - kIds.begin());
}

bool sounds_like_instant(std::string_view name) {
  const std::string lowered = lower(name);
  return among(kCreated, lowered) || among(kUpdated, lowered) || lowered.ends_with("_at") ||
         camel_ends(name, "At") || lowered == "timestamp" || lowered.ends_with("_timestamp") ||
         camel_ends(name, "Timestamp");
}

bool sounds_like_date(std::string_view name) {
  const std::string lowered = lower(name);
  return sounds_like_instant(name) || lowered == "date" || lowered == "datetime" ||
         lowered == "time" || lowered == "day" || lowered.ends_with("_date") ||
         lowered.ends_with("_on") || lowered.ends_with("_time") || lowered.ends_with("_day") ||
         lowered.starts_with("date_") || camel_ends(name, "Date") || camel_ends(name, "Time") ||
         camel_ends(name, "On") || lowered == "birthday" || lowered == "dob";
}

void find_timestamps(ClassInfo& cls) {
  cls.created_at = cls.stated_created_at.empty() ? pick(cls, "createdAt", kCreated)
                                                 : stated(cls, cls.stated_created_at);
  cls.updated_at = cls.stated_updated_at.empty() ? pick(cls, "updatedAt", kUpdated)
                                                 : stated(cls, cls.stated_updated_at);
}

}  // namespace gantry::data
