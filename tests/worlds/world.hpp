// tests/worlds/world.hpp: two databases that differ only in what one agent may not see, the rules
// that say so, and the words that requests about them are made of.
//
// A seed determines all of it. Which rows and values are visible is decided here, while the rows
// are made, and never asked of the engine. Texts of requests and literals have single quotes in
// place of double ones; the values hold neither. Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gantry::worlds {

// Literals of JSON that occur in rows the agent sees, and those that only hidden rows, or hidden
// fields, of the second world have.
struct Literals {
  std::vector<std::string> seen, hidden;
};

struct ClassWords {
  std::string name;
  std::vector<std::string> fields;            // that the agent may name
  std::vector<std::string> numbers, dates;    // those of `fields` with such values
  std::vector<std::string> denied;            // that exist, and that it may not name
  std::map<std::string, std::string> points;  // visible pointers, each with its class
  std::map<std::string, Literals> values;     // by field, denied ones included
  Literals ids;
  bool has_tenant = false;  // the model scopes it by tenant
};

struct Words {
  std::vector<ClassWords> classes;
  std::vector<std::string> hidden_classes;
  const ClassWords* find(const std::string& name) const;
};

// Text of files of a model, by file name.
using ModelFiles = std::map<std::string, std::string>;

struct Twins {
  // SQL that makes each world.
  std::string one, other;
  // SQL of the database that holds only the visible part.
  std::string visible_only;
  ModelFiles model;          // the rules
  ModelFiles bare;           // only how classes are stored: the same data without a rule
  ModelFiles visible_model;  // of `visible_only`: besides, what is a default and no boundary
  // Scopes of calls as the host gives them: the agent, and another one of the same database.
  std::string agent, other_agent;
  Words words;
};

Twins make_twins(std::uint32_t seed);

// Inserted last into both worlds, so that new objects get the same numbers in both. No rule can
// hide the highest number of a table from an agent that creates an object.
inline constexpr const char* kLastRows =
    "INSERT INTO customer(id, tenant) VALUES (5000, 'beta');\n"
    "INSERT INTO orders(id, tenant) VALUES (5000, 'beta');\n"
    "INSERT INTO item(id, qty) VALUES (5000, -1);\n"
    "INSERT INTO note(id, tenant) VALUES (5000, 'beta');\n"
    "INSERT INTO task(id, owner) VALUES (5000, 'u3');\n";

// The text with double quotes in place of single ones.
std::string with_quotes(std::string text);

}  // namespace gantry::worlds
