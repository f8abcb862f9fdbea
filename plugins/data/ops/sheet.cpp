#include "ops/sheet.hpp"

#include "values/query_error.hpp"

namespace gantry::data {
namespace {

const std::vector<std::string> kNone;
constexpr std::size_t kDrained = 64u << 10;

}  // namespace

Sheet::Sheet(const ExportRequest& what, std::size_t limit)
    : what_(what), limit_(limit), writer_(make_row_writer(what.format)) {
  if (!what.columns.empty()) begin(Columns(what.columns));
}

Sheet::Sheet(const ExportRequest& what, Drain drain)
    : what_(what), drain_(std::move(drain)), writer_(make_row_writer(what.format)) {
  if (!what.columns.empty()) begin(Columns(what.columns));
}

void Sheet::begin(Columns columns) {
  columns_.emplace(std::move(columns));
  weights_.resize(columns_->headers().size());
  grid_.headers = columns_->headers();
  if (writer_) writer_->begin(columns_->headers(), text_);
}

void Sheet::add(std::string_view row) {
  const auto parsed = Json::parse(row);
  if (!parsed) {
    throw QueryError(
        invalid_argument("The rows hold JSON that is nested too deeply to be "
                         "exported; name columns without that field"));
  }
  if (!columns_) begin(Columns::of_row(*parsed));
  const Cells& cells = columns_->pick(*parsed);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t bytes = 1 + (cells[i] ? cells[i]->text().size() : 0);
    weights_[i] += bytes;
    bytes_ += bytes;
  }
  if (!is_too_large_) write(cells);
}

void Sheet::write(const Cells& cells) {
  if (writer_) {
    writer_->row(cells, text_);
  } else {
    grid_.add(cells);
  }
  if (drain_) {
    if (text_.size() < kDrained) return;
    drain_(text_);
    return text_.clear();
  }
  is_too_large_ = std::max(bytes_ / 2, text_.size()) > limit_;
  if (!is_too_large_) return;
  text_ = {};
  grid_.rows = {};
}

std::string Sheet::take_text() {
  if (writer_ || is_too_large_) return std::move(text_);
  // Padding could otherwise take all memory.
  const std::size_t size = table_size(grid_);
  bytes_ = std::max(bytes_, size);
  is_too_large_ = size > limit_;
  return is_too_large_ ? std::string() : as_table(grid_);
}

const std::vector<std::string>& Sheet::headers() const {
  return columns_ ? columns_->headers() : kNone;
}

std::vector<std::string> Sheet::left_out() const {
  return columns_ && what_.columns.empty() ? columns_->left_out() : kNone;
}

std::vector<std::pair<std::string, std::size_t>> Sheet::weights() const {
  std::vector<std::pair<std::string, std::size_t>> weights;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const bool named = !what_.columns.empty();
    weights.emplace_back(named ? what_.columns[i].path : headers()[i], weights_[i]);
  }
  return weights;
}

}  // namespace gantry::data
