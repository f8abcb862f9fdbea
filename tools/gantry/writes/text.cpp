#include <vector>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/listing.hpp"
#include "tools/gantry/writes/writes.hpp"

namespace gantry::cli {
namespace {

std::string classes_text(const rapidjson::Value& write) {
  std::string all;
  for (const auto& name : items(member(write, "classes"))) {
    if (!name.IsString()) continue;
    all += (all.empty() ? "" : ", ") + std::string(name.GetString(), name.GetStringLength());
  }
  return all;
}

std::string undo_text(const rapidjson::Value& write) {
  if (!text_at(write, "undone_by").empty()) return "undone by " + text_at(write, "undone_by");
  if (!text_at(write, "reason").empty()) return "no: " + text_at(write, "reason");
  return "yes";
}

// The fields that differ, as "name: before -> after"; of a row that came or went all fields.
std::string fields_text(const rapidjson::Value& change) {
  const rapidjson::Value &before = member(change, "before"), &after = member(change, "after");
  const rapidjson::Value& shown = after.IsObject() ? after : before;
  std::string out;
  if (!shown.IsObject()) return out;
  const bool is_update = before.IsObject() && after.IsObject();
  for (const auto& [name, value] : shown.GetObject()) {
    const auto* const then = find_member(before, name.GetString());
    if (is_update && then != nullptr && *then == value) continue;
    out += "  " + printable(name.GetString()) + ": ";
    if (is_update && then != nullptr) out += printable(compact(*then)) + " -> ";
    out += printable(compact(value)) + "\n";
  }
  return out;
}

}  // namespace

std::string write_table(const rapidjson::Value& answer, std::size_t width) {
  const Listing listing{"writes",
                        "no writes are kept",
                        {"ID", "TIME", "AGENT", "TOOL", "OPERATION", "ROWS", "CLASSES", "UNDO"},
                        [](const rapidjson::Value& one) -> std::vector<std::string> {
                          return {text_at(one, "id"),        text_at(one, "time"),
                                  agent_text(one),           text_at(one, "tool"),
                                  text_at(one, "operation"), std::to_string(number_at(one, "rows")),
                                  classes_text(one),         undo_text(one)};
                        }};
  std::string out = listing_table(answer, listing, width);
  const std::string cursor = text_at(answer, "next_cursor");
  if (!cursor.empty()) out += "older ones: --cursor " + printable(cursor) + "\n";
  return out;
}

std::string write_text(const rapidjson::Value& write) {
  std::string out = printable(text_at(write, "operation")) + " by " + printable(agent_text(write)) +
                    " with " + printable(text_at(write, "tool")) + ", " +
                    printable(text_at(write, "time")) + "\n";
  out += "Undo: " + printable(undo_text(write)) + "\n";
  const std::string undoes = text_at(write, "undoes");
  if (!undoes.empty()) out += "Undoes: " + printable(undoes) + "\n";
  for (const auto& change : items(member(write, "changes"))) {
    out += printable(text_at(change, "operation")) + " " +
           printable(text_at(change, "class_name")) + " " +
           printable(text_at(change, "object_id")) + "\n" + fields_text(change);
  }
  const std::uint64_t left = number_at(write, "left_out");
  if (left > 0) out += "and " + std::to_string(left) + " more rows\n";
  return out;
}

}  // namespace gantry::cli
