// Adds the operands of instructions to a program: texts, literals, patterns, lists of nodes. Each
// function returns what the instruction stores: an index in a table of the program, or a slice.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "compile/index.hpp"
#include "program.hpp"

namespace gantry::schema::detail {

class Assembler {
 public:
  // Both must outlive the assembler.
  Assembler(Program& program, Index& index) : program_(program), index_(index) {}

  Program& program() { return program_; }

  // The node of a schema that the index has.
  std::uint32_t node_of(const Json& schema) const { return index_.place_of(schema); }
  Result<Target> resolve(std::uint32_t place, std::string_view reference) {
    return index_.resolve(place, reference);
  }

  // An instruction on a list of nodes: a and b are first and count in Program::children.
  Op list_op(Code code, const Json& schemas);
  Text store(std::string_view text);
  Text store(const Json& string) { return store(view(string)); }
  // In Program::literals; copies the value.
  std::uint32_t literal(const Json& value);
  // In Program::regexes, where equal patterns share one. `location` is for the refusal of a pattern
  // that ECMA-262 does not allow.
  Result<std::uint32_t> regex(std::string_view pattern, const std::string& location);
  // In Program::dynamic_anchors, which fill_dynamic_anchors() completes once all places are known.
  std::uint32_t dynamic_anchor(const std::string& name);
  void fill_dynamic_anchors();

 private:
  Program& program_;
  Index& index_;
  std::map<std::string, std::uint32_t> regex_numbers_;
  std::map<std::string, std::uint32_t> anchor_numbers_;
};

}  // namespace gantry::schema::detail
