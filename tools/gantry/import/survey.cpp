#include "tools/gantry/import/survey.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "catalog/column_type.hpp"
#include "values/utf8.hpp"
#include "write/convert.hpp"
#include "write/names.hpp"

namespace gantry::cli::importing {
namespace {

using Type = Cell::Type;

constexpr std::size_t kEnoughTexts = 1000;

constexpr unsigned bit(Type type) { return 1u << static_cast<unsigned>(type); }

constexpr unsigned kSilent = bit(Type::null) | bit(Type::relation);
constexpr unsigned kNumeric = bit(Type::integer) | bit(Type::real) | bit(Type::big_number);

Form form_of(unsigned types) {
  switch (types) {
    case bit(Type::boolean):
      return Form::boolean;
    case bit(Type::date):
      return Form::date_ms;
    case bit(Type::nested):
      return Form::json;
    case bit(Type::bytes):
      return Form::bytes;
    case bit(Type::integer):
    case bit(Type::integer) | bit(Type::big_number):
    case bit(Type::big_number):
      return Form::integer;
    default:
      break;
  }
  if (types != 0 && (types & ~kNumeric) == 0) return Form::number;
  return types == 0 || types == bit(Type::text) ? Form::text : Form::any_json;
}

// As --type has it.
std::string_view name_of(Form form) {
  switch (form) {
    case Form::integer:
      return "integer";
    case Form::number:
      return "number";
    case Form::boolean:
      return "boolean";
    default:
      return "date";
  }
}

bool is_timestamp(const std::string& name) { return name == "createdAt" || name == "updatedAt"; }

// An integer that a column of numbers with fractions cannot hold exactly.
bool is_wide(const std::string& text) {
  constexpr std::size_t kShortest = 16;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (text.size() < kShortest) return false;
  const Cell cell = write::number_cell(text);
  return cell.is(Type::integer) && (cell.integer < -kExact || cell.integer > kExact);
}

}  // namespace

void Survey::look_at_text(Seen& seen, const Row& row, const std::string& text) {
  Texts& texts = seen.texts;
  const bool is_settled = seen.has_lexical && seen.lexical == Form::text;
  if (is_settled && texts.plain + texts.others >= kEnoughTexts) return;
  const Form form = write::lexical_form(text);
  if (form != Form::text) {
    texts.other = texts.others++ == 0 ? form : write::common_form(texts.other, form);
  } else if (texts.plain++ == 0) {
    texts.row = row.number;
    texts.line = row.line;
    texts.first = data::excerpt(text);
  }
  seen.lexical = seen.has_lexical ? write::common_form(seen.lexical, form) : form;
  seen.has_lexical = true;
  seen.has_wide = seen.has_wide || (form == Form::integer && is_wide(text));
}

void Survey::look(Seen& seen, const Row& row, const Cell& cell) {
  seen.types |= bit(cell.type);
  if (cell.is(Type::lexical)) look_at_text(seen, row, cell.text);
  if (!cell.is(Type::pointer)) return;
  if (seen.target.empty()) seen.target = cell.target;
  seen.has_targets = seen.has_targets || seen.target != cell.target;
}

Status Survey::add(const Row& row) {
  ++rows_;
  for (const Field& field : row.fields) {
    const auto [place, is_first] = places_.try_emplace(field.name, seen_.size());
    if (is_first) {
      if (seen_.size() >= kMostColumns) {
        return Status::invalid("there are more than " + std::to_string(kMostColumns) +
                               " fields up to row " + std::to_string(row.number) +
                               ", and a table has no more columns; --document COLUMN keeps each "
                               "object whole");
      }
      seen_.emplace_back().name = field.name;
    }
    look(seen_[place->second], row, field.cell);
  }
  return {};
}

const Survey::Seen* Survey::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &seen_[found->second];
}

// Whether ACL is Parse's, which becomes two columns.
bool Survey::has_acl() const {
  const Seen* const seen = find("ACL");
  const bool is_parses = seen != nullptr && (seen->types & ~kSilent) == bit(Type::nested);
  return is_parses && wishes_.left_out.count("ACL") == 0 && find("_rperm") == nullptr &&
         find("_wperm") == nullptr;
}

std::string Survey::id_field() const {
  if (!wishes_.id.empty()) return wishes_.id;
  for (const char* name : {"objectId", "_id", "id"}) {
    if (find(name) != nullptr) return name;
  }
  return "";
}

Column Survey::column_of(const Seen& seen) const {
  Column column{.name = seen.name};
  const auto wish = wishes_.forms.find(seen.name);
  const unsigned types = seen.types & ~kSilent;
  const auto pointer = wishes_.pointers.find(seen.name);
  if (pointer != wishes_.pointers.end()) {
    column.target = pointer->second;
    column.key = "objectId";
  } else if (wish != wishes_.forms.end()) {
    column.form = wish->second;
  } else if (is_timestamp(seen.name)) {
    column.form = Form::date_ms;
  } else if (seen.has_lexical) {
    const bool loses_digits = seen.lexical == Form::number && seen.has_wide;
    column.form = loses_digits ? Form::text : seen.lexical;
  } else if (types == bit(Type::pointer) && !seen.has_targets) {
    column.target = seen.target;
    column.key = "objectId";
  } else {
    column.form = form_of(types);
  }
  return column;
}

// The key has its field's name. Integers stay integers; everything else is text.
Column Survey::key_column(const std::string& id) const {
  Column column{.name = id.empty() ? "objectId" : id};
  const Seen* const seen = find(id);
  const auto wish = wishes_.forms.find(id);
  if (wish != wishes_.forms.end()) {
    column.form = wish->second;
  } else if (id != "objectId" && seen != nullptr) {
    const bool is_integer = column_of(*seen).form == Form::integer;
    column.form =
        is_integer && (seen->types & bit(Type::big_number)) == 0 ? Form::integer : Form::text;
  }
  return column;
}

Status Survey::check_wishes() const {
  if (!wishes_.id.empty() && find(wishes_.id) == nullptr) {
    return Status::invalid("--id " + wishes_.id + ": no row has that field");
  }
  if (is_timestamp(wishes_.id)) {
    return Status::invalid("--id " + wishes_.id + ": it is a date in every class");
  }
  const bool has_other = !wishes_.id.empty() && wishes_.id != "objectId" && find("objectId");
  if (has_other && wishes_.left_out.count("objectId") == 0) {
    return Status::invalid("--id " + wishes_.id + ": there is an objectId too; --skip objectId");
  }
  const std::string id = id_field();
  for (const auto& [name, form] : wishes_.forms) {
    if (find(name) == nullptr) return Status::invalid("--type " + name + ": no row has that field");
    if (name == id && form != Form::text && (name == "objectId" || form != Form::integer)) {
      return Status::invalid("--type " + name + ": it is the key, which is text" +
                             (name == "objectId" ? "" : " or integer"));
    }
    if (is_timestamp(name) && form != Form::date_ms) {
      return Status::invalid("--type " + name + ": it is a date in every class");
    }
  }
  for (const auto& [name, target] : wishes_.pointers) {
    if (find(name) == nullptr) {
      return Status::invalid("--pointer " + name + ": no row has that field");
    }
    if (name == id || is_timestamp(name) || wishes_.forms.count(name) != 0) {
      return Status::invalid("--pointer " + name +
                             ": the field is the key or a time, or has a "
                             "--type too");
    }
  }
  for (const std::string& name : wishes_.left_out) {
    if (find(name) == nullptr) return Status::invalid("--skip " + name + ": no row has that field");
  }
  return {};
}

// The fields that have no place of their own in every table.
Status Survey::add_columns(Table& table, const std::string& id) const {
  std::unordered_map<std::string, std::string> taken;  // lowered names, as SQLite compares them
  for (const Column& column : table.columns) taken.emplace(data::lower(column.name), column.name);
  for (const Seen& seen : seen_) {
    const bool has_place = (!id.empty() && seen.name == id) || is_timestamp(seen.name) ||
                           (seen.name == "ACL" && has_acl());
    const bool is_empty = (seen.types & ~kSilent) == 0 && (seen.types & bit(Type::relation)) != 0;
    if (has_place || is_empty || wishes_.left_out.count(seen.name) != 0) continue;
    if (Status status = write::check_name("field", seen.name); !status) return status;
    const auto [other, is_free] = taken.emplace(data::lower(seen.name), seen.name);
    if (!is_free) {
      return Status::invalid("the fields " + data::excerpt(other->second) + " and " +
                             data::excerpt(seen.name) +
                             " differ in capitals only, and columns do not; leave one out with "
                             "--skip, or use --document COLUMN");
    }
    table.columns.push_back(column_of(seen));
    const std::string& target = table.columns.back().target;
    if (target.empty()) continue;
    if (Status status = write::check_name("class", target); !status) {
      return Status::invalid(seen.name + " points to a class that cannot be: " + status.message() +
                             "; --type " + seen.name + "=json keeps its values as they are");
    }
  }
  return {};
}

Result<Table> Survey::design(const std::string& name) const {
  if (Status status = check_wishes(); !status) return status;
  if (seen_.empty()) return Status::invalid("no row has a field, so there is no class to make");
  Table table;
  table.name = name;
  table.is_new = true;
  const std::string id = id_field();
  table.columns = {key_column(id),
                   {.name = "createdAt", .form = Form::date_ms},
                   {.name = "updatedAt", .form = Form::date_ms}};
  table.id = 0, table.created = 1, table.updated = 2;
  table.makes_ids = table.columns[0].form == Form::text;  // SQLite numbers the rows of the others
  if (Status status = write::check_name("field", table.columns[0].name); !status) return status;
  if (Status status = add_columns(table, id); !status) return status;
  if (has_acl()) {
    table.readers = table.columns.size(), table.writers = table.columns.size() + 1;
    table.columns.push_back({.name = "_rperm", .form = Form::json});
    table.columns.push_back({.name = "_wperm", .form = Form::json});
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    Column& column = table.columns[i];
    table.by_field.emplace(column.name, i);
    if (column.target != name) continue;
    column.key = table.columns[0].name;
    column.form = table.columns[0].form;
  }
  if (table.columns.size() > kMostColumns) {
    return Status::invalid("with objectId, createdAt and updatedAt there are more than " +
                           std::to_string(kMostColumns) +
                           " columns; leave some out with --skip, or use --document COLUMN");
  }
  return table;
}

std::vector<std::string> Survey::remarks() const {
  constexpr std::size_t kMany = 3;
  std::vector<std::string> out;
  const std::string id = id_field();
  for (const Seen& seen : seen_) {
    const Texts& texts = seen.texts;
    const bool is_chosen = seen.name == id || wishes_.forms.count(seen.name) != 0 ||
                           wishes_.pointers.count(seen.name) != 0 ||
                           wishes_.left_out.count(seen.name) != 0;
    const bool is_few = texts.plain > 0 && texts.others >= kMany * texts.plain;
    if (is_chosen || !is_few || texts.other == Form::text) continue;
    const std::string_view kind = name_of(texts.other);
    out.push_back(seen.name + " is text because of row " + std::to_string(texts.row) + " (line " +
                  std::to_string(texts.line) + "): " + texts.first + " is no " + std::string(kind) +
                  ". --type " + seen.name + "=" + std::string(kind) + " refuses such rows.");
  }
  return out;
}

}  // namespace gantry::cli::importing
