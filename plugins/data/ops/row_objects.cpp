// The rows of a class with columns.
#include <algorithm>

#include "errors/query_error.hpp"
#include "ops/objects.hpp"
#include "ops/too_large.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// Drops the heaviest field, then trailing rows; further fields only if not even one row fits.
Fitted read_fitting(const Request& request, RowReader& reader, Selection selection,
                    const Clauses& clauses, std::size_t limit) {
  const std::size_t room = request.room_for_rows();
  Fitted fitted;
  for (bool first = true;; first = false) {
    // Bounds the rows kept in memory; the rows that fit the answer are chosen below.
    fitted.rows = reader.read(selection, clauses, false, first ? room : 4 * room);
    fitted.original = std::min(limit, fitted.rows.count);
    const bool whole = fitted.rows.kept() == fitted.rows.count && fitted.rows.bytes <= room;
    if (whole) return fitted;
    const std::size_t fits = std::min(rows_that_fit(fitted.rows, room), limit);
    if (!first && fits > 0) {
      fitted.rows_dropped = fits < fitted.original;
      fitted.rows.truncate(fits);
      return fitted;
    }
    const std::string heaviest = heaviest_field(fitted.rows);
    if (heaviest.empty()) {
      fitted.rows_dropped = fits < fitted.original;
      fitted.rows.truncate(fits);
      return fitted;
    }
    selection = selection.without(heaviest);
    fitted.dropped_fields.push_back(heaviest);
  }
}

class RowObjects final : public Objects {
 public:
  RowObjects(const Request& request, const Read& read)
      : request_(request),
        read_(read),
        selection_(select_fields(request, *read.view, read.shape)) {}

  ObjectPage page(std::size_t limit) override {
    ObjectPage page;
    read_rows(request_, read_, [&](ClassSource& source, const Clauses& clauses) {
      RowReader reader(source);
      page.fitted = read_fitting(request_, reader, selection_, clauses, limit);
    });
    page.has_more = page.fitted.rows.count > limit;
    page.fitted.rows.truncate(limit);
    return page;
  }

  Rows all() override {
    Rows rows;
    const std::size_t room = request_.room_for_rows();
    read_rows(request_, read_, [&](ClassSource& source, const Clauses& clauses) {
      rows = RowReader(source).read(selection_, clauses, read_.ids.has_value(), room);
    });
    if (rows.kept() < rows.count || rows.bytes > room) {
      throw QueryError(response_too_large(request_, rows));
    }
    return rows;
  }

  std::string truncated_includes() const override { return truncated_member(selection_.narrowed); }

  std::optional<std::size_t> place_of(std::string_view id,
                                      std::span<const std::string> ids) const override {
    const SameIds same(*read_.view, id);
    const auto found = std::find_if(
        ids.begin(), ids.end(), [&same](std::string_view shown) { return same.include(shown); });
    return found == ids.end() ? std::nullopt : std::optional<std::size_t>(found - ids.begin());
  }

  std::string flaw_of(std::string_view id) const override {
    return parse_object_id(*read_.view, id).message();
  }

 private:
  const Request& request_;
  const Read& read_;
  const Selection selection_;
};

}  // namespace

std::unique_ptr<Objects> row_objects(const Request& request, const Read& read) {
  return std::make_unique<RowObjects>(request, read);
}

}  // namespace gantry::data
