#include "ops/export/sheet.hpp"

#include "errors/query_error.hpp"

namespace gantry::data {
namespace {

const std::vector<std::string> kNone;
constexpr std::size_t kDrained = 64u << 10;

// Measures the bytes of each column's cells.
class Weighed final : public CellSource {
 public:
  Weighed(const CellSource& cells, std::vector<std::size_t>& weights, std::size_t& bytes)
      : cells_(cells), weights_(weights), bytes_(bytes) {}

  std::size_t size() const override { return cells_.size(); }

  bool append_text(std::size_t column, std::string& out) const override {
    const std::size_t before = out.size();
    const bool is_there = cells_.append_text(column, out);
    note(column, out.size() - before);
    return is_there;
  }

  bool append_json(std::size_t column, std::string& out) const override {
    const std::size_t before = out.size();
    const bool is_there = cells_.append_json(column, out);
    note(column, out.size() - before);
    return is_there;
  }

 private:
  void note(std::size_t column, std::size_t bytes) const {
    weights_[column] += bytes + 1;
    bytes_ += bytes + 1;
  }

  const CellSource& cells_;
  std::vector<std::size_t>& weights_;
  std::size_t& bytes_;
};

void weigh(const CellSource& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) (void)cells.append_text(i, text);
}

}  // namespace

Json parse_row(std::string_view json) {
  const auto parsed = Json::parse(json);
  if (parsed) return *parsed;
  throw QueryError(
      invalid_argument("The rows hold JSON that is nested too deeply to be "
                       "exported; name columns without that field"));
}

TableBuilder::TableBuilder(const ExportRequest& what, std::size_t limit)
    : what_(what), limit_(limit), writer_(make_row_writer(what.format)) {
  if (!what.columns.empty()) begin(Columns(what.columns));
}

TableBuilder::TableBuilder(const ExportRequest& what, Drain drain)
    : what_(what), drain_(std::move(drain)), writer_(make_row_writer(what.format)) {
  if (!what.columns.empty()) begin(Columns(what.columns));
}

void TableBuilder::begin(Columns columns) {
  columns_.emplace(std::move(columns));
  weights_.resize(columns_->headers().size());
  grid_.headers = columns_->headers();
  if (writer_) writer_->begin(columns_->headers(), text_);
}

void TableBuilder::add(std::string_view row) {
  const Json parsed = parse_row(row);
  if (!columns_) begin(Columns::of_row(parsed));
  add(PickedCells(columns_->pick(parsed)));
}

void TableBuilder::add(const CellSource& cells) {
  if (!drain_) {
    write(Weighed(cells, weights_, bytes_));
    return drop_if_too_large();
  }
  write(cells);
  if (text_.size() < kDrained) return;
  drain_(text_);
  text_.clear();
}

void TableBuilder::write(const CellSource& cells) {
  if (is_too_large_) {
    weigh(cells);
  } else if (writer_) {
    writer_->row(cells, text_);
  } else {
    grid_.add(cells);
  }
}

void TableBuilder::drop_if_too_large() {
  if (is_too_large_) return;
  is_too_large_ = std::max(bytes_ / 2, text_.size()) > limit_;
  if (!is_too_large_) return;
  text_ = {};
  grid_.rows = {};
}

std::string TableBuilder::take_text() {
  if (writer_ || is_too_large_) return std::move(text_);
  // The padding could exceed all memory, so the size is checked first.
  const std::size_t size = table_size(grid_);
  bytes_ = std::max(bytes_, size);
  is_too_large_ = size > limit_;
  return is_too_large_ ? std::string() : as_table(grid_);
}

const std::vector<std::string>& TableBuilder::headers() const {
  return columns_ ? columns_->headers() : kNone;
}

std::vector<std::string> TableBuilder::left_out() const {
  return columns_ && what_.columns.empty() ? columns_->left_out() : kNone;
}

std::vector<std::pair<std::string, std::size_t>> TableBuilder::weights() const {
  std::vector<std::pair<std::string, std::size_t>> weights;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const bool named = !what_.columns.empty();
    weights.emplace_back(named ? what_.columns[i].path : headers()[i], weights_[i]);
  }
  return weights;
}

}  // namespace gantry::data
