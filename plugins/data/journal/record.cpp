#include "journal/record.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

namespace gantry::data {
namespace {

// Of the form below; another one is not read.
constexpr char kVersion = 1;

enum class Tag : char { null = 'n', integer = 'i', real = 'r', text = 't', blob = 'b' };

// Numbers have eight bytes, texts their length before them.
class Out {
 public:
  Out() { bytes += kVersion; }
  void tag(Tag tag) { bytes += static_cast<char>(tag); }
  void flag(bool value) { bytes += value ? '1' : '0'; }
  template <class Number>
  void number(Number value) {
    static_assert(sizeof value == 8);
    std::array<char, 8> raw{};
    std::memcpy(raw.data(), &value, raw.size());
    bytes.append(raw.data(), raw.size());
  }
  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    bytes += text;
  }
  template <class List, class Each>
  void list(const List& list, Each&& each) {
    number(std::uint64_t{list.size()});
    for (const auto& one : list) each(one);
  }
  void texts(const std::vector<std::string>& all) {
    list(all, [this](const std::string& one) { text(one); });
  }
  void value(const Bind& value) {
    if (const auto* number_ = std::get_if<std::int64_t>(&value)) {
      tag(Tag::integer);
      number(*number_);
    } else if (const auto* real = std::get_if<double>(&value)) {
      tag(Tag::real);
      number(*real);
    } else if (const auto* text_ = std::get_if<std::string>(&value)) {
      tag(Tag::text);
      text(*text_);
    } else if (const auto* blob = std::get_if<Bytes>(&value)) {
      tag(Tag::blob);
      text(blob->data);
    } else {
      tag(Tag::null);
    }
  }
  void row(const std::optional<StoredRow>& row) {
    flag(row.has_value());
    if (row) list(*row, [this](const Bind& one) { value(one); });
  }

  std::string bytes;
};

// After the first thing that does not fit everything is empty, and ok() false.
class In {
 public:
  explicit In(std::string_view bytes) : rest_(bytes) { is_ok_ = character() == kVersion; }

  bool ok() const { return is_ok_ && rest_.empty(); }
  bool flag() { return character() == '1'; }
  template <class Number>
  Number number() {
    Number value{};
    const std::string_view raw = take(sizeof value);
    if (is_ok_) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number<std::uint64_t>())); }
  // Each element takes at least one byte, so that no count makes it reserve more than there is.
  template <class Each>
  void list(Each&& each) {
    const auto count = number<std::uint64_t>();
    for (std::uint64_t i = 0; is_ok_ && i < count; ++i) each();
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    list([&] { all.push_back(text()); });
    return all;
  }
  Bind value() {
    switch (static_cast<Tag>(character())) {
      case Tag::integer:
        return number<std::int64_t>();
      case Tag::real:
        return number<double>();
      case Tag::text:
        return text();
      case Tag::blob:
        return Bytes{text()};
      case Tag::null:
        return nullptr;
    }
    is_ok_ = false;
    return nullptr;
  }
  std::optional<StoredRow> row() {
    if (!flag()) return std::nullopt;
    StoredRow row;
    list([&] { row.push_back(value()); });
    return row;
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) is_ok_ = false;
    if (!is_ok_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  char character() {
    const std::string_view one = take(1);
    return one.empty() ? '\0' : one.front();
  }

  std::string_view rest_;
  bool is_ok_ = true;
};

void put(const RowStep& step, Out& out) {
  out.number(std::uint64_t{step.table});
  out.text(step.object_id);
  out.list(step.place, [&](const ColumnValue& one) {
    out.text(one.column);
    out.value(one.value);
  });
  out.row(step.before);
  out.row(step.after);
  out.flag(step.by_foreign_key);
}

RowStep step_in(In& in) {
  RowStep step;
  step.table = in.number<std::uint64_t>();
  step.object_id = in.text();
  in.list([&] {
    std::string column = in.text();
    step.place.push_back({std::move(column), in.value()});
  });
  step.before = in.row();
  step.after = in.row();
  step.by_foreign_key = in.flag();
  return step;
}

// Whether the steps name their tables' columns and nothing else.
bool is_sound(const Images& images) {
  if (images.effect > Images::Effect::dropped_table) return false;
  if (images.effect != Images::Effect::on_rows && images.tables.empty()) return false;
  const auto fits = [&](const RowStep& step, const std::optional<StoredRow>& row) {
    return !row || row->size() == images.tables[step.table].columns.size();
  };
  for (const RowStep& step : images.steps) {
    if (step.table >= images.tables.size() || step.place.empty()) return false;
    if (!fits(step, step.before) || !fits(step, step.after)) return false;
  }
  return true;
}

}  // namespace

std::string bytes_of(const WriteHead& head) {
  Out out;
  out.text(head.id);
  out.number(head.time_ms);
  for (const std::string* text : {&head.agent, &head.user, &head.tool, &head.correlation_id,
                                  &head.operation, &head.reason, &head.undoes}) {
    out.text(*text);
  }
  out.texts(head.classes);
  out.number(head.rows);
  return std::move(out.bytes);
}

std::optional<WriteHead> read_head(std::string_view bytes) {
  In in(bytes);
  WriteHead head;
  head.id = in.text();
  head.time_ms = in.number<std::int64_t>();
  for (std::string* text : {&head.agent, &head.user, &head.tool, &head.correlation_id,
                            &head.operation, &head.reason, &head.undoes}) {
    *text = in.text();
  }
  head.classes = in.texts();
  head.rows = in.number<std::uint64_t>();
  return in.ok() ? std::optional(std::move(head)) : std::nullopt;
}

std::string bytes_of(const Images& images) {
  Out out;
  out.number(std::uint64_t{static_cast<std::uint8_t>(images.effect)});
  out.list(images.tables, [&](const WrittenTable& table) {
    out.text(table.class_name);
    out.text(table.name);
    out.texts(table.columns);
  });
  out.list(images.steps, [&](const RowStep& step) { put(step, out); });
  out.texts(images.text.statements);
  out.text(images.text.flaw);
  return std::move(out.bytes);
}

std::optional<Images> read_images(std::string_view bytes) {
  In in(bytes);
  Images images;
  images.effect = static_cast<Images::Effect>(in.number<std::uint64_t>());
  in.list([&] {
    WrittenTable& table = images.tables.emplace_back();
    table.class_name = in.text();
    table.name = in.text();
    table.columns = in.texts();
  });
  in.list([&] { images.steps.push_back(step_in(in)); });
  images.text.statements = in.texts();
  images.text.flaw = in.text();
  return in.ok() && is_sound(images) ? std::optional(std::move(images)) : std::nullopt;
}

std::size_t size_of(const StoredRow& row) {
  constexpr std::size_t kEach = 9;
  std::size_t size = kEach;
  for (const Bind& value : row) {
    size += kEach;
    if (const auto* text = std::get_if<std::string>(&value)) size += text->size();
    if (const auto* blob = std::get_if<Bytes>(&value)) size += blob->data.size();
  }
  return size;
}

bool is_same(const Bind& a, const Bind& b) {
  if (a.index() != b.index()) return false;
  if (const auto* real = std::get_if<double>(&a)) {
    return std::memcmp(real, &std::get<double>(b), sizeof *real) == 0;
  }
  if (const auto* blob = std::get_if<Bytes>(&a)) return blob->data == std::get<Bytes>(b).data;
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (const auto* number = std::get_if<std::int64_t>(&a))
    return *number == std::get<std::int64_t>(b);
  return true;
}

}  // namespace gantry::data
