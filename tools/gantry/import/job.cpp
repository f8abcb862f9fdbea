#include "tools/gantry/import/job.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "store/writer.hpp"
#include "tools/gantry/import/classes.hpp"
#include "tools/gantry/import/row_writer.hpp"
#include "values/utf8.hpp"
#include "write/class_table.hpp"

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kRowsBetweenLooks = 256;
constexpr std::size_t kMostRefused = 1000;  // then there is no point in reading on

Status stopped() { return {GANTRY_CANCELLED, "stopped; nothing was imported"}; }

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// One line of bounded length without control characters, which a file's names and texts may have:
// a terminal would obey them.
std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 1000;
  std::string out = data::clipped(text, kMost);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    const bool is_c1 =
        c == 0xC2 && i + 1 < out.size() && static_cast<unsigned char>(out[i + 1]) < 0xA0;
    if (is_c1) out[i + 1] = ' ';
    if (is_c1 || c < 0x20 || c == 0x7F) out[i] = ' ';
  }
  return out;
}

// The order in which most lists are read.
Status add_index(data::Writer& writer, const Table& table) {
  if (!table.is_new || !table.document.empty()) return {};
  return status_of(writer.create_index(
      table.name, {table.columns[*table.created].name, table.columns[*table.id].name}));
}

class Run {
 public:
  Run(const Job& job, const Surroundings& around, Input& input)
      : job_(job),
        around_(around),
        input_(input),
        source_(open_source(input, {job.format, job.delimiter, !job.document.empty()})) {}

  Result<Outcome> all();

 private:
  Result<data::WriterPtr> open(bool create) const;
  Result<Classes> classes() const;
  Result<Table> table();
  Result<Table> document_table(std::optional<Table> found) const;
  Result<Table> survey();
  Status look(const char* what, std::size_t row);
  Status write(const Table& table);
  Status write_rows(data::Writer& writer, const Table& table);
  Status read_keys(data::Writer& writer, const Table& table);
  Status take(RowWriter& writer, Row& row);
  Status check_keys();
  Status refuse(const Row& row, const std::string& reason);
  Status judge() const;

  const Job& job_;
  const Surroundings& around_;
  Input& input_;
  std::unique_ptr<Source> source_;
  Outcome outcome_;
  data::ForeignKeysPtr keys_;  // of a class that was there already, where it has any
  struct Written {
    data::RowId row;
    std::size_t number, line;  // in the file; 0: taken back
  };
  std::vector<Written> written_;  // where there are keys to check
};

Status Run::look(const char* what, std::size_t row) {
  if (row % kRowsBetweenLooks != 0) return {};
  around_.progress.show(what, input_.position(), input_.size(), row);
  return around_.stopped() ? stopped() : Status();
}

Result<data::WriterPtr> Run::open(bool create) const {
  auto writer = data::open_writer(job_.database, {create, job_.wait, around_.stopped});
  if (!writer) return status_of(writer.error());
  return *std::move(writer);
}

Result<Classes> Run::classes() const {
  std::error_code error;
  if (std::filesystem::exists(job_.database, error)) {
    // A file that a crashed program left can be read after a writer has opened it.
    if (auto writer = open(false); !writer) return writer.status();
    return Classes::read(job_.database, job_.name);
  }
  if (job_.create) return Classes::none();
  return Status::invalid("there is no file " + job_.database + "; --create makes it");
}

Result<Table> Run::document_table(std::optional<Table> found) const {
  Table table;
  if (found) {
    const auto column = found->by_field.find(job_.document);
    if (column == found->by_field.end()) {
      return Status::invalid("the class " + job_.name + " has no column " + job_.document);
    }
  }
  table.name = job_.name;
  table.is_new = !found;
  table.document = job_.document;
  table.columns = {{.name = job_.document, .form = Form::json}};
  return table;
}

Result<Table> Run::survey() {
  Survey survey(job_.wishes);
  std::uint64_t readable = 0, broken = 0;
  Status status = source_->each([&](Row& row) {
    Status taken = look("Reading", row.number);
    ++(row.reason.empty() ? readable : broken);
    return taken && row.reason.empty() ? survey.add(row) : taken;
  });
  if (!status) return status;
  if (readable > 0 || broken == 0) {
    auto table = survey.design(job_.name);
    for (const std::string& remark : survey.remarks()) {
      outcome_.remarks.push_back(printable(remark));
    }
    return table;
  }
  // No row is readable, so there is no class to make: report the errors of the rows.
  status = source_->each([&](Row& row) { return refuse(row, row.reason); });
  return status ? judge() : status;
}

Result<Table> Run::table() {
  auto known = classes();
  if (!known) return known.status();
  auto found = known->find(job_.name);
  if (!found) return found.status();
  if (!job_.document.empty()) return document_table(*std::move(found));
  if (*found && !(*found)->document.empty()) {
    return Status::invalid("the class " + job_.name + " holds documents; say --document " +
                           (*found)->document);
  }
  if (*found) {
    const bool has_wishes =
        !job_.wishes.id.empty() || !job_.wishes.forms.empty() || !job_.wishes.pointers.empty();
    if (!has_wishes) return **std::move(found);
    return Status::invalid("the class " + job_.name +
                           " is there already and its columns say what they hold; --id, --type "
                           "and --pointer are for new classes");
  }
  auto table = survey();
  if (!table) return table;
  outcome_.absent = known->resolve_pointers(*table);
  for (const auto& [field, target] : job_.wishes.pointers) {
    if (std::count(outcome_.absent.begin(), outcome_.absent.end(), target) == 0) continue;
    return Status::invalid("--pointer " + field + "=" + target + ": there is no class " + target +
                           " in " + job_.database + "; import it first");
  }
  return table;
}

Status Run::refuse(const Row& row, const std::string& reason) {
  if (++outcome_.refused <= job_.shown) {
    around_.progress.clear();
    around_.complain("row " + std::to_string(row.number) + " (line " + std::to_string(row.line) +
                     "): " + printable(reason));
  }
  const bool is_enough = !job_.skip_invalid && outcome_.refused >= kMostRefused;
  return is_enough ? judge() : Status();
}

Status Run::take(RowWriter& writer, Row& row) {
  if (Status status = look("Writing", row.number); !status) return status;
  std::string refusal;
  if (Status status = writer.put(row, refusal); !status) return status;
  if (!refusal.empty()) return refuse(row, refusal);
  ++outcome_.taken;
  if (keys_) written_.push_back({writer.last_row(), row.number, row.line});
  return {};
}

// Rows that refer to a removed row are removed too.
Status Run::check_keys() {
  for (bool again = keys_ != nullptr; again;) {
    again = false;
    for (std::size_t i = 0; i < written_.size(); ++i) {
      auto& [written, number, line] = written_[i];
      if (number == 0) continue;
      if (Status status = look("Checking", i); !status) return status;
      const auto error = keys_->check(written);
      if (!error) continue;
      if (!data::is_refusal(*error)) return status_of(*error);
      if (Status status = status_of(keys_->delete_row(written)); !status) return status;
      --outcome_.taken;
      Row row;
      row.number = std::exchange(number, 0);
      row.line = line;
      if (Status status = refuse(row, error->message); !status) return status;
      again = job_.skip_invalid && keys_->refer_to_own_class();
    }
  }
  return {};
}

Status Run::judge() const {
  if (outcome_.refused == 0 || (job_.skip_invalid && outcome_.taken > 0)) return {};
  const bool is_enough = outcome_.refused >= kMostRefused && !job_.skip_invalid;
  return Status::failed((is_enough ? "stopped after " : "") +
                        count(outcome_.refused, "refused row") + ", " +
                        std::to_string(outcome_.taken) + " would do; nothing was imported" +
                        (outcome_.taken > 0 ? ". --skip-invalid leaves the refused ones out" : ""));
}

Status Run::read_keys(data::Writer& writer, const Table& table) {
  if (table.is_new || !table.document.empty()) return {};
  auto keys = writer.foreign_keys(table.name);
  if (!keys) return status_of(keys.error());
  keys_ = *std::move(keys);
  return {};
}

Status Run::write_rows(data::Writer& writer, const Table& table) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  RowWriter rows(table, {job_.wishes.left_out, job_.skip_unknown, now.count()});
  Status status = rows.prepare(writer);
  if (status) status = source_->each([&](Row& row) { return take(rows, row); });
  if (status) status = check_keys();
  return status ? judge() : status;
}

Status Run::write(const Table& table) {
  auto writer = open(job_.create);
  if (!writer) return writer.status();
  Status status = read_keys(**writer, table);
  if (status) status = status_of((*writer)->start_transaction());
  if (status && table.is_new) status = status_of((*writer)->create_class(new_class(table)));
  if (status) status = write_rows(**writer, table);
  if (status) status = add_index(**writer, table);
  if (status) status = status_of((*writer)->commit_transaction());
  keys_.reset();
  return status;
}

Result<Outcome> Run::all() {
  auto made = table();
  if (!made) return made.status();
  outcome_.is_new = made->is_new;
  Status status = write(*made);
  if (!status && around_.stopped()) return stopped();
  if (!status) return status;
  return std::move(outcome_);
}

}  // namespace

Result<Outcome> run(const Job& job, const Surroundings& around) {
  auto input = Input::open(job.file, [&](std::uint64_t bytes, std::uint64_t all) {
    around.progress.show("Reading", bytes, all, 0);
    return around.can_read();
  });
  if (!input) return input.status();
  return Run(job, around, *input).all();
}

}  // namespace gantry::cli::importing
