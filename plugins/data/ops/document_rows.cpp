#include "ops/document_rows.hpp"

#include <map>

#include "ops/too_large.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

bool stays(std::string_view name) { return name == "_id" || name == "objectId"; }

void drop(const std::string& name, Array& documents) {
  for (Value& document : documents) {
    std::erase_if(document.own_members(), [&](const Member& m) { return m.name == name; });
  }
}

}  // namespace

Rows rows_of(const Array& documents) {
  Rows rows;
  std::map<std::string, std::size_t> weights;
  std::string text;
  for (const Value& document : documents) {
    if (rows.text.size() > 1) rows.text += ',';
    const std::size_t before = rows.text.size();
    append_value_json(document, Dress::extended, rows.text);
    rows.ends.push_back(rows.text.size());
    rows.bytes += rows.text.size() - before + 1;
    for (const Member& member : document.members()) {
      if (stays(member.name)) continue;
      text.clear();
      append_value_json(member.value, Dress::extended, text);
      weights[member.name] += text.size();
    }
  }
  rows.count = documents.size();
  rows.weights.assign(weights.begin(), weights.end());
  return rows;
}

Fitted fit_documents(const Request& request, Array documents) {
  const std::size_t room = room_for_rows(request);
  Fitted fitted;
  fitted.original = documents.size();
  for (bool is_first = true;; is_first = false) {
    fitted.rows = rows_of(documents);
    if (fitted.rows.bytes <= room) return fitted;
    const std::size_t fits = rows_that_fit(fitted.rows, room);
    const std::string heaviest = heaviest_field(fitted.rows);
    if ((!is_first && fits > 0) || heaviest.empty()) {
      fitted.rows_dropped = fits < documents.size();
      fitted.rows.truncate(fits);
      return fitted;
    }
    drop(heaviest, documents);
    fitted.dropped_fields.push_back(heaviest);
  }
}

}  // namespace gantry::data
