// recent_activity and created_in_range: objects by their creation date.
#include <charconv>

#include "core/date.hpp"
#include "prompts/prompts.hpp"

namespace prompts {
namespace {

// Returns 0 if the text is not a number from 1 to 100.
int parse_limit(std::string_view text) {
  int limit = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && limit >= 1 && limit <= 100 ? limit : 0;
}

// The date field to filter by, or the reason why there is none.
gantry::Result<FieldInfo> date_field(const Model& model, const ClassSchema& schema,
                                     const std::vector<std::string_view>& names) {
  if (const FieldInfo* field = schema.date(names)) return *field;
  return model.refuse("class_name", "class '" + schema.name +
                                        "' has no date field, so nothing tells when its objects "
                                        "were made; choose another class.");
}

gantry::Result<Date> date_argument(const Model& model, std::string_view name,
                                   const std::string& text) {
  if (const auto date = parse_date(text)) return *date;
  return model.refuse(name, "'" + text +
                                "' is no ISO 8601 date; write 2026-01-31 or "
                                "2026-01-31T08:00:00Z.");
}

std::string stands_in(const FieldInfo& field, std::string_view wanted) {
  if (field.name == wanted) return {};
  return "The class has no " + std::string(wanted) + "; `" + field.name +
         "` is its nearest date: say so in your answer.\n\n";
}

// {"$gte":…,"$lte":…}; an end without a time includes the whole day.
gantry::Result<std::string> bounds(const Model& model, const Range& which) {
  const auto since = date_argument(model, "since", which.since);
  if (!since) return since.status();
  Members members = {{"$gte", quoted(to_iso(since->ms))}};
  if (!which.until || which.until->empty()) return object(members);
  auto until = date_argument(model, "until", *which.until);
  if (!until) return until.status();
  if (until->is_day) until->ms += kDay;
  if (until->ms < since->ms) {
    return model.refuse("until",
                        "'" + *which.until + "' is before since '" + which.since + "'; swap them.");
  }
  members.emplace_back(until->is_day ? "$lt" : "$lte", quoted(to_iso(until->ms)));
  return object(members);
}

}  // namespace

Answer recent_activity(const Model& model, const Recent& which) {
  const std::string given = which.limit.value_or("");
  const int limit = given.empty() ? 10 : parse_limit(given);
  if (limit == 0) {
    return model.refuse("limit", "'" + given + "' is no whole number from 1 to 100.");
  }
  const auto schema = model.open("class_name", which.class_name);
  if (!schema) return schema.status();
  const auto field = date_field(model, *schema, {"createdAt", "updatedAt"});
  if (!field) return field.status();
  const auto call = [&](const std::string& by) {
    return tool_call("query_class", {{"class_name", quoted(schema->name)},
                                     {"order", quoted("-" + by)},
                                     {"limit", std::to_string(limit)}});
  };
  std::string text = "Show the recent activity in the class " + schema->name + ".\n\n" +
                     stands_in(*field, "createdAt") + "1. " + call(field->name) +
                     " for the newest objects.\n";
  if (field->name == "createdAt" && schema->find("updatedAt") != nullptr) {
    text += "2. " + call("updatedAt") + " for those changed last.\n";
  }
  text +=
      "\nSummarise what has happened lately: what is new, what was changed, and any pattern in "
      "time.";
  return gantry::Messages().user(text);
}

Answer created_in_range(const Model& model, const Range& which) {
  const auto range = bounds(model, which);
  if (!range) return range.status();
  const auto schema = model.open("class_name", which.class_name);
  if (!schema) return schema.status();
  const auto field = date_field(model, *schema, {"createdAt"});
  if (!field) return field.status();
  const std::string name = quoted(schema->name), where = object({{field->name, *range}});
  std::string text = "Find the objects of " + schema->name + " that were made since " + which.since;
  if (which.until && !which.until->empty()) text += " and until " + *which.until;
  text += ".\n\n" + stands_in(*field, "createdAt") + "1. " +
          tool_call("count_objects", {{"class_name", name}, {"where", where}}) +
          " for how many there are.\n2. " +
          tool_call("query_class", {{"class_name", name},
                                    {"where", where},
                                    {"order", quoted(field->name)},
                                    {"limit", "100"}}) +
          ", and `next_call` while there is one.\n\n" +
          "Report the number, the first and the last of them, and how they are spread over the "
          "time.";
  return gantry::Messages().user(text);
}

}  // namespace prompts
