// The keywords of one schema, by group. Each function reads its keywords, whose form has been
// checked (shapes.hpp), and emits their instructions; the operands are described above each
// emission.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compile/assembler.hpp"

namespace gantry::schema::detail {

// The node being emitted.
struct Site {
  const Json& schema;
  std::uint32_t place;
  const std::string& location;
  Node node;
  std::array<std::vector<Op>, kGroups> groups;

  void emit(Group group, Op op) { groups[group].push_back(op); }
  // Emits a rule on a count if the schema has `keyword`: a is the count, at most kNone - 1.
  void emit_count(Group group, const char* keyword, Code code);
};

// type, const, enum, and the rules for numbers and strings.
Status scalar_keywords(Assembler& assembler, Site& site);
void array_keywords(Assembler& assembler, Site& site);
Status object_keywords(Assembler& assembler, Site& site);
// References and the keywords that combine schemas. Resolving may add places to the index.
Status logic_keywords(Assembler& assembler, Site& site);

}  // namespace gantry::schema::detail
