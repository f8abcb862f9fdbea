#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "ops/documents_reply.hpp"
#include "ops/export_filling.hpp"
#include "ops/pipeline_arguments.hpp"
#include "ops/pointer_lookup.hpp"
#include "plan/class_source.hpp"
#include "policy/internal.hpp"
#include "rows/document_dialect.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// Documents beyond the row cap are counted up to this number.
constexpr std::uint64_t kMostCounted = 1'000'000;

// A last stage for the columns: unknown fields are refused, and no other fields are read.
void append_projection(const std::vector<Column>& columns, Value& stages) {
  if (columns.empty()) return;
  ObjectBuilder fields;
  for (const Column& column : columns) fields.set(root_of(column.path), Value::integer(1));
  stages.own_elements().push_back(object_of("$project", fields.build()));
}

// The last stage keeps whole fields, so the requested paths below them are checked here.
void refuse_internal(const ClassView& cls, std::string_view path) {
  if (names_internal(path)) columns::refuse_field(path, cls);
}

bool asks_for_id(const ExportRequest& what) {
  return std::any_of(what.columns.begin(), what.columns.end(),
                     [](const Column& column) { return root_of(column.path) == "_id"; });
}

// Answers call a class's own id objectId; a column may still refer to it as _id.
Value with_alias(const Value& document) {
  return ObjectBuilder(document.members()).set("_id", document.find("objectId")).build();
}

bool goes_below(const ExportRequest& what) {
  return std::any_of(what.columns.begin(), what.columns.end(), [](const Column& column) {
    return column.path.find('.') != std::string::npos;
  });
}

// Adds documents to the builder, in batches of some hundred if pointers in them must be resolved.
class DocumentRows {
 public:
  DocumentRows(const Request& request, TableBuilder& builder, bool follows)
      : request_(request), builder_(builder), pointers_(request), follows_(follows) {
    if (!follows_) return;
    builder_.columns()->follow([this](const Json& object, const auto& names, std::size_t from) {
      return pointers_.find(object, names, from);
    });
  }
  DocumentRows(const DocumentRows&) = delete;
  DocumentRows& operator=(const DocumentRows&) = delete;

  void add(std::string json, ClassSource& source) {
    if (!follows_) return builder_.add(json);
    bytes_ += json.size();
    rows_.push_back(std::move(json));
    if (rows_.size() == kRowsAtOnce || bytes_ > kBytesAtOnce) flush(source.lease());
  }

  // Adds the last batch, after the run has returned its connection.
  void finish() {
    if (rows_.empty()) return;
    auto lease = request_.store.lease(request_.budget);
    if (!lease) throw QueryError(store_error(lease.status()));
    flush(**lease);
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 512, kBytesAtOnce = 1u << 20;

  void flush(Lease& lease) {
    for (const std::string& row : rows_) (void)builder_.columns()->pick(parse_row(row));
    pointers_.fetch(lease);
    for (const std::string& row : rows_) builder_.add(row);
    pointers_.forget();
    rows_.clear();
    bytes_ = 0;
  }

  const Request& request_;
  TableBuilder& builder_;
  PointerLookup pointers_;
  const bool follows_;
  std::vector<std::string> rows_;
  std::size_t bytes_ = 0;
};

// Adds the documents of a read to the builder and counts those beyond the cap.
class ExportSink final : public ReadSink {
 public:
  ExportSink(const Request& request, const PipelineRead& what, Filling& filling)
      : filling_(filling),
        dialect_(dialect_of(what.read.view)),
        owns_id_(what.owns_id),
        wants_alias_(!what.owns_id && asks_for_id(filling.what)),
        rows_(request, filling.builder,
              what.read.view != nullptr && dialect_ == JsonDialect::parse &&
                  goes_below(filling.what)) {}

  bool add(Value& document, ClassSource& source) override {
    if (!filling_.next()) return ++beyond_ < kMostCounted;
    one_.front() = std::move(document);
    if (dialect_ == JsonDialect::parse) apply_dialect(one_, owns_id_);
    if (wants_alias_) one_.front() = with_alias(one_.front());
    std::string text;
    append_value_json(one_.front(), dialect_, text);
    rows_.add(std::move(text), source);
    return true;
  }

  ExportedRows finish() {
    rows_.finish();
    ExportedRows shown = filling_.shown;
    shown.is_cut = beyond_ > 0;
    if (shown.is_cut && beyond_ < kMostCounted) shown.available = shown.count + beyond_;
    return shown;
  }

 private:
  Filling& filling_;
  const JsonDialect dialect_;
  const bool owns_id_, wants_alias_;
  DocumentRows rows_;
  std::uint64_t beyond_ = 0;
  Array one_ = Array(1);
};

ExportedRows fill(const Request& request, const PipelineRead& what, Filling& filling) {
  ExportSink sink(request, what, filling);
  run_read(request, what.read, sink);
  return sink.finish();
}

}  // namespace

ExportedRows fill_from_pipeline(const Request& request, Filling filling) {
  Value stages = requested_stages(request);
  append_projection(filling.what.columns, stages);
  return fill(request, pipeline_read(request, stages), filling);
}

ExportedRows fill_from_documents(const Request& request, Read read, Filling filling) {
  if (!read.shape.includes.empty()) {
    throw QueryError(invalid_argument(
        "include: an export of documents has none; join with a $lookup in a pipeline"));
  }
  const auto& columns = filling.what.columns;
  for (const std::string_view key : read.shape.keys) refuse_internal(*read.view, key);
  for (const Column& column : columns) refuse_internal(*read.view, column.path);
  // Keys are whole fields here, and columns say more than keys.
  std::vector<Column> kept = columns;
  if (kept.empty()) {
    for (const std::string_view key : read.shape.keys) kept.push_back({std::string(key), {}});
  }
  read.shape = {};
  read.stages = Value::array({});
  append_projection(kept, read.stages);
  return fill(request, {std::move(read), true}, filling);
}

}  // namespace gantry::data
