// store/sqlite/probe.hpp: compiles a caller's statement in a database that holds nothing but the
// names of the classes that the caller may see.
//
// The only names are temporary tables, one for each class that the statement names; what belongs to
// SQLite (catalogs, pragmas, virtual tables) is refused or taken away. Nothing runs. A text that
// compiles is one query and reads those classes alone; the messages about others cannot tell of
// names that exist elsewhere. One use, one thread.
#pragma once

#include <sqlite3.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "store/caller_statement.hpp"

namespace gantry::data::sqlite {

class Probe {
 public:
  explicit Probe(const ClassLookup& lookup) : lookup_(lookup) {}
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  // The shape names every class of the text, also where SQLite leaves its part out. GANTRY_FAILED:
  // SQLite ran out of memory.
  Result<StatementVerdict> judge(std::string_view sql);

 private:
  struct Table {
    NamedClass cls;
    std::vector<bool> used;  // by field
  };

  Status open();
  bool add_class(const std::string& name);
  StatementVerdict compile(std::string_view sql);
  StatementVerdict shape_of(sqlite3_stmt* stmt, std::string_view sql, const char* rest);
  StatementFault fault(std::string_view sql);
  StatementFault named_fault(std::string message, std::size_t at);
  bool is_last(std::string_view rest);
  void add_classes(bool all, std::vector<StatementShape::UsedClass>& classes) const;
  static int authorize(void* self, int action, const char* first, const char* second,
                       const char* third, const char* context);
  int allow_read(const char* table, const char* field);
  int allow_function(const char* name);

  const ClassLookup& lookup_;
  sqlite3* db_ = nullptr;
  std::map<std::string, Table, std::less<>> tables_;  // by name in lower case
  std::string refused_function_;
  std::size_t selects_ = 0;
  bool is_simple_ = true, reads_clock_ = false, names_all_ = false;
};

}  // namespace gantry::data::sqlite
