#include "ops/document_rows.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "errors/query_error.hpp"
#include "ops/selection.hpp"
#include "ops/too_large.hpp"
#include "values/extended_json.hpp"
#include "values/json_size.hpp"
#include "values/sorting.hpp"

namespace gantry::data {
namespace {

bool stays(std::string_view name) { return name == "_id" || name == "objectId"; }

// The bytes of one field in all documents.
struct FieldWeight {
  std::size_t values = 0;    // JSON of the values
  std::size_t whole = 0;     // including name, colon and comma
  std::size_t in_first = 0;  // the first document's part of `whole`
  bool is_dropped = false;
};

// The bytes of each member's JSON, and the remaining bytes after fields are dropped. The documents
// must outlive it unchanged.
class Weighing {
 public:
  explicit Weighing(const Array& documents) : documents_(documents) {
    std::size_t count = 0;
    for (const Value& document : documents) count += document.members().size();
    members_.reserve(count);
    for (const Value& document : documents) weigh(document);
  }

  // The bytes of all documents, each with a comma.
  std::size_t bytes() const { return bytes_; }
  std::vector<std::pair<std::string, std::size_t>> weights() const;
  // Drops the heaviest field, and further ones as long as not even one document fits.
  std::vector<std::string> drop_fields(std::size_t room);
  // Writes as many of the first documents as fit, without the dropped fields.
  Rows write(std::size_t room) const;

 private:
  using Entry = std::pair<const std::string_view, FieldWeight>;
  using Fields = std::unordered_map<std::string_view, FieldWeight, std::hash<std::string_view>,
                                    std::equal_to<std::string_view>, Metered<Entry>>;
  using Entries = std::vector<Entry*, Metered<Entry*>>;

  void weigh(const Value& document);
  Entries droppable();
  bool is_dropped(const Member& member) const {
    const auto field = fields_.find(member.name);
    return field != fields_.end() && field->second.is_dropped;
  }
  void append(const Value& document, std::string& text) const;

  const Array& documents_;
  Fields fields_;                                           // fields that may be dropped
  std::vector<std::size_t, Metered<std::size_t>> members_;  // each with name, colon and comma
  std::size_t bytes_ = 0;
  std::size_t first_ = 0;  // the first document's part
  bool has_dropped_ = false;
};

// The bytes of an object whose members take `members` bytes, each with a comma.
std::size_t object_bytes(std::size_t members) { return members == 0 ? 2 : members + 1; }

void Weighing::weigh(const Value& document) {
  std::size_t all = 0;
  const bool is_first = &document == &documents_.front();
  for (const Member& member : document.members()) {
    Spending::step_current();
    const std::size_t value = json_bytes(member.value, JsonDialect::extended);
    const std::size_t whole = json_name_bytes(member.name) + 1 + value + 1;
    members_.push_back(whole);
    all += whole;
    if (stays(member.name)) continue;
    FieldWeight& field = fields_[member.name];
    field.values += value;
    field.whole += whole;
    if (is_first) field.in_first += whole;
  }
  const std::size_t bytes = object_bytes(all) + 1;
  bytes_ += bytes;
  if (is_first) first_ = bytes;
}

std::vector<std::pair<std::string, std::size_t>> Weighing::weights() const {
  std::vector<std::pair<std::string, std::size_t>> weights;
  weights.reserve(fields_.size());
  for (const auto& [name, field] : fields_) weights.emplace_back(name, field.values);
  SmallSteps step;
  std::sort(weights.begin(), weights.end(),
            [&](const auto& a, const auto& b) { return step(), a.first < b.first; });
  return weights;
}

Weighing::Entries Weighing::droppable() {
  Entries entries;
  for (Entry& entry : fields_) {
    if (!is_common_field(entry.first)) entries.push_back(&entry);
  }
  sort_stably(entries, [](const Entry* a, const Entry* b) {
    const std::size_t left = a->second.values, right = b->second.values;
    return left != right ? left > right : a->first < b->first;
  });
  return entries;
}

std::vector<std::string> Weighing::drop_fields(std::size_t room) {
  std::vector<std::string> dropped;
  for (Entry* const entry : droppable()) {
    auto& [name, field] = *entry;
    field.is_dropped = has_dropped_ = true;
    dropped.emplace_back(name);
    bytes_ -= field.whole;
    first_ -= field.in_first;
    if (bytes_ <= room || first_ <= room) break;
  }
  return dropped;
}

Rows Weighing::write(std::size_t room) const {
  Rows rows;
  rows.count = documents_.size();
  rows.bytes = bytes_;
  auto whole = members_.begin();
  for (const Value& document : documents_) {
    std::size_t left = 0;
    for (const Member& member : document.members()) {
      Spending::step_current();
      if (!has_dropped_ || !is_dropped(member)) left += *whole;
      ++whole;
    }
    const std::size_t comma = rows.ends.empty() ? 0 : 1;
    if (rows.text.size() + comma + object_bytes(left) > room) break;
    if (comma != 0) rows.text += ',';
    append(document, rows.text);
    rows.ends.push_back(rows.text.size());
  }
  return rows;
}

void Weighing::append(const Value& document, std::string& text) const {
  if (!has_dropped_) return append_value_json(document, JsonDialect::extended, text);
  Members left;
  for (const Member& member : document.members()) {
    if (!is_dropped(member)) left.push_back(member);
  }
  append_value_json(ObjectBuilder(std::move(left)).build(), JsonDialect::extended, text);
}

}  // namespace

Rows rows_of(const Request& request, const Array& documents) {
  const std::size_t room = request.room_for_rows();
  const Weighing weighing(documents);
  if (weighing.bytes() <= room) return weighing.write(room);
  Rows rows;
  rows.count = documents.size();
  rows.bytes = weighing.bytes();
  rows.weights = weighing.weights();
  throw QueryError(response_too_large(request, rows));
}

Fitted fit_documents(const Request& request, const Array& documents) {
  const std::size_t room = request.room_for_rows();
  Weighing weighing(documents);
  Fitted fitted;
  fitted.original = documents.size();
  if (weighing.bytes() > room) fitted.dropped_fields = weighing.drop_fields(room);
  fitted.rows = weighing.write(room);
  fitted.rows_dropped = fitted.rows.kept() < documents.size();
  return fitted;
}

}  // namespace gantry::data
