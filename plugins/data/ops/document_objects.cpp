// The objects of a document class: an object is its document with objectId in front; values are
// relaxed Extended JSON, as stored.
#include "ops/document_find.hpp"
#include "ops/document_include.hpp"
#include "ops/document_rows.hpp"
#include "ops/document_where.hpp"
#include "ops/objects.hpp"

namespace gantry::data {
namespace {

class DocumentObjects final : public Objects {
 public:
  DocumentObjects(const Request& request, const ClassView& cls) : request_(request), cls_(cls) {}

  ObjectPage page(std::int64_t limit, std::int64_t skip) override {
    Finding finding;
    finding.skip = skip;
    finding.limit = limit + 1;  // one more, to detect further documents
    finding.where = document_where(request_);
    finding.order = optional_string(request_, "order");
    Array found = find(std::move(finding));
    const auto wanted = static_cast<std::size_t>(limit);
    const bool has_more = found.size() > wanted;
    if (has_more) found.resize(wanted);
    return {fit_documents(request_, found), has_more};
  }

  std::int64_t count() override { return count_found(request_, cls_, document_where(request_)); }

  Rows with_ids(const std::vector<std::string_view>& ids) override {
    const Including including = requested_include(request_);
    Array found = find_by_ids(request_, cls_, ids, including.keys);
    include_pointers(request_, including.paths, found);
    Rows rows = rows_of(request_, found);
    for (const Value& document : found) rows.ids.emplace_back(document.find("objectId").text());
    return rows;
  }

  std::string flaw_of(std::string_view /*id*/) const override { return {}; }

  Rows first(std::int64_t limit) override {
    Finding finding;
    finding.limit = limit;
    return rows_of(request_, find(std::move(finding)));
  }

 private:
  Array find(Finding finding) const {
    const Including including = requested_include(request_);
    finding.keys = including.keys;
    Documents found = find_documents(request_, cls_, finding);
    include_pointers(request_, including.paths, found.list);
    return std::move(found.list);
  }

  const Request& request_;
  const ClassView& cls_;
};

}  // namespace

std::unique_ptr<Objects> document_objects(const Request& request, const ClassView& cls) {
  return std::make_unique<DocumentObjects>(request, cls);
}

}  // namespace gantry::data
