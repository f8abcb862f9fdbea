// store/caller_statement.hpp: a caller's own SQL, as a store understands it without data.
//
// A store compiles the text against tables that exist as names only: the classes that the lookup
// finds, with the fields that it names. What compiles there names nothing else, whatever the
// database holds, and the errors know no other names. Plain data; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gantry::data {

// Of one statement.
inline constexpr std::size_t kMostStatementBytes = std::size_t{64} << 10U;
inline constexpr std::size_t kMostStatementValues = 100;

// The beginning of the names of the sub-queries that hold the rules; no caller may write it.
inline constexpr std::string_view kOwnNames = "gantry:";

// A class as a statement may name it: `fields` are all that it has.
struct NamedClass {
  std::string name;
  std::vector<std::string> fields;
};
// Finds a class by the name in a statement, whatever its ASCII case; empty: there is none.
using ClassLookup = std::function<std::optional<NamedClass>(std::string_view name)>;

// A statement that may run.
struct StatementShape {
  struct Column {
    std::string name;
    std::string cls, field;  // the field whose value it is; empty: it is computed
  };
  struct UsedClass {
    std::string name;
    std::vector<std::string> fields;  // those that the statement names
  };

  std::string text;  // the statement alone, without a semicolon
  std::vector<Column> columns;
  std::vector<UsedClass> classes;
  // The names of its parameters, by number from 1: ":name", "?3", or empty for a bare "?".
  std::vector<std::string> parameters;
  // It only filters, joins and projects rows, by expressions that can fail on no value: but for the
  // order, its answer does not depend on how the store runs it.
  bool is_simple = false;
  bool is_flat = false;  // it has one SELECT: no sub-query runs once for each row of another
  bool reads_clock = false;
};

// Why a statement cannot run. `at`: the position in the text, from 1; 0: none.
struct StatementFault {
  enum class Kind {
    empty,        // no statement
    several,      // more than one
    not_a_query,  // neither SELECT, VALUES nor WITH … SELECT
    too_long,     // the text, or the sub-queries that it repeats
    no_class,     // `name` is no class
    no_field,     // `name` is no field of the classes named
    no_function,  // `name` is no function, or one that is not allowed
    not_allowed,  // reads something else than classes
    other         // `text` says it
  };
  Kind kind = Kind::other;
  std::string name = {}, text = {};
  std::size_t at = 0;
  std::vector<StatementShape::UsedClass> classes = {};  // named so far, with all of their fields
};

using StatementVerdict = std::variant<StatementShape, StatementFault>;

}  // namespace gantry::data
