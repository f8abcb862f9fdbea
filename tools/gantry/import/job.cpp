#include "tools/gantry/import/job.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/gantry/import/classes.hpp"
#include "tools/gantry/import/database.hpp"
#include "tools/gantry/import/foreign_keys.hpp"
#include "tools/gantry/import/writer.hpp"

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kRowsBetweenLooks = 256;
constexpr std::size_t kMostRefused = 1000;  // then there is no point in reading on

Status stopped() { return {GANTRY_CANCELLED, "stopped; nothing was imported"}; }

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

Status add_indexes(Database& database, const Table& table) {
  for (const std::string& statement : index_statements(table)) {
    if (Status status = database.exec(statement); !status) return status;
  }
  return {};
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
  Status recover() const;
  Result<Classes> classes() const;
  Result<Table> table();
  Result<Table> document_table(std::optional<Table> found) const;
  Result<Table> survey();
  Status look(const char* what, std::size_t row);
  Status write(Database& database, const Table& table);
  Status take(Writer& writer, Row& row);
  Status check_keys();
  Status refuse(const Row& row, const std::string& reason);
  Status judge() const;

  const Job& job_;
  const Surroundings& around_;
  Input& input_;
  std::unique_ptr<Source> source_;
  Outcome outcome_;
  std::optional<ForeignKeys> keys_;  // of a class that was there already, where it has any
  struct Written {
    std::int64_t rowid;
    std::size_t number, line;  // in the file; 0: taken back
  };
  std::vector<Written> written_;  // where there are keys to check
};

Status Run::look(const char* what, std::size_t row) {
  if (row % kRowsBetweenLooks != 0) return {};
  around_.progress.show(what, input_.position(), input_.size(), row);
  return around_.stopped() ? stopped() : Status();
}

// Rolls back the unfinished transaction of a crashed program, as any writer of the file must.
Status Run::recover() const {
  auto database = Database::open(job_.database, {false, job_.wait, around_.stopped});
  if (!database) return database.status();
  return (*database)->exec("SELECT count(*) FROM sqlite_schema");
}

Result<Classes> Run::classes() const {
  std::error_code error;
  if (std::filesystem::exists(job_.database, error)) {
    if (Status status = recover(); !status) return status;
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
  if (readable > 0 || broken == 0) return survey.design(job_.name);
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
  if (*found) {
    const bool has_wishes = !job_.wishes.id.empty() || !job_.wishes.forms.empty();
    if (!has_wishes) return **std::move(found);
    return Status::invalid("the class " + job_.name +
                           " is there already and its columns say what they hold; --id and --type "
                           "are for new classes");
  }
  auto table = survey();
  if (table) outcome_.absent = known->resolve_pointers(*table);
  return table;
}

Status Run::refuse(const Row& row, const std::string& reason) {
  if (++outcome_.refused <= job_.shown) {
    around_.progress.clear();
    around_.complain("row " + std::to_string(row.number) + " (line " + std::to_string(row.line) +
                     "): " + reason);
  }
  const bool is_enough = !job_.skip_invalid && outcome_.refused >= kMostRefused;
  return is_enough ? judge() : Status();
}

Status Run::take(Writer& writer, Row& row) {
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
  for (bool again = keys_.has_value(); again;) {
    again = false;
    for (std::size_t i = 0; i < written_.size(); ++i) {
      auto& [rowid, number, line] = written_[i];
      if (number == 0) continue;
      if (Status status = look("Checking", i); !status) return status;
      auto reason = keys_->missing_of(rowid);
      if (!reason) return reason.status();
      if (reason->empty()) continue;
      if (Status status = keys_->remove(rowid); !status) return status;
      --outcome_.taken;
      Row row;
      row.number = std::exchange(number, 0);
      row.line = line;
      if (Status status = refuse(row, *reason); !status) return status;
      again = job_.skip_invalid && keys_->any_of_itself();
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

Status Run::write(Database& database, const Table& table) {
  if (!table.is_new && table.document.empty()) {
    auto keys = ForeignKeys::read(database, table.name);
    if (!keys) return keys.status();
    if (!keys->empty()) keys_.emplace(*std::move(keys));
  }
  if (Status status = database.exec("BEGIN IMMEDIATE"); !status) return status;
  if (table.is_new) {
    if (Status status = database.exec(create_statement(table)); !status) return status;
  }
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  Writer writer(database, table, {job_.wishes.left_out, job_.skip_unknown, now.count()});
  Status status = writer.prepare();
  if (status && !table.document.empty()) status = add_indexes(database, table);
  if (status) status = source_->each([&](Row& row) { return take(writer, row); });
  if (status) status = check_keys();
  if (status) status = judge();
  if (status && table.document.empty()) status = add_indexes(database, table);
  return status ? database.exec("COMMIT") : status;
}

Result<Outcome> Run::all() {
  auto made = table();
  if (!made) return made.status();
  outcome_.is_new = made->is_new;
  std::error_code error;
  const bool is_new_file = !std::filesystem::exists(job_.database, error);
  auto database = Database::open(job_.database, {job_.create, job_.wait, around_.stopped});
  if (!database) return database.status();
  Status status = write(**database, *made);
  database->reset();
  if (!status && is_new_file) std::filesystem::remove(job_.database, error);
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
