// tests/worlds/draw.hpp: random requests about a world.
//
// Texts have single quotes in place of double ones. A Draw is used for one request, by one thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "chance.hpp"
#include "world.hpp"

namespace gantry::worlds {

// One request to the plugin. `rows` are those of the catalogue of leaks (catalogue.hpp) that it
// tries.
struct Request {
  enum class Kind { service, link, resource, listing, completion, redaction, introduction, sql };
  Kind kind = Kind::service;
  std::string op;    // of a service
  std::string text;  // arguments, a URI, a template, a prefix, a value, or a statement of SQL
  std::set<int> rows;
  std::string more = {};  // of a statement: further arguments
};

struct Draw {
  Chance& chance;
  const Words& words;
  bool is_nosy = false;  // it may name what the agent may not
  std::set<int> rows;
};

// Of literals, this share is hidden, in percent.
inline constexpr std::uint32_t kHiddenShare = 40;

const ClassWords& any_class(Draw& draw);
// The quoted name of `cls`, or that of a hidden class if the draw is nosy.
std::string class_name(Draw& draw, const ClassWords& cls, int row);
// A field without quotes; `row` is what naming a denied one tries.
std::string field_name(Draw& draw, const ClassWords& cls, int row);
// A literal for the field, sometimes of another.
std::string literal(Draw& draw, const ClassWords& cls, const std::string& field);
std::string id_literal(Draw& draw, const ClassWords& cls);

// A `where`; `depth` bounds the nesting. `in_pipeline`: without the operators of `where` alone.
std::string filter(Draw& draw, const ClassWords& cls, int depth, bool in_pipeline);
// A condition for an item or order: a range over an indexed column, and beside it what fails on
// values of hidden rows alone, which the index has.
std::string indexed_trap(Draw& draw, const ClassWords& cls);
// $text in any index of the class of notes, or in that of one field.
std::string text_condition(Draw& draw);
std::string expression(Draw& draw, const ClassWords& cls, int depth);
// An expression that fails for some values.
std::string failing(Draw& draw, const ClassWords& cls);
std::string accumulator(Draw& draw, const ClassWords& cls);
// A pipeline without its brackets.
std::string stages(Draw& draw, const ClassWords& cls, int depth);

Request any_request(Chance& chance, const Words& words);
// A SELECT, for `sql` or `explain`.
Request any_statement(Chance& chance, const Words& words);
// A write of objects, or of a class with a name that is taken.
Request any_write(Chance& chance, const Words& words);

}  // namespace gantry::worlds
