// Compiles indexed schemas to a program: one function per group of keywords, in compile_*.cpp.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"
#include "resolve.hpp"

namespace gantry::schema::detail {

// The node being emitted.
struct Site {
  const Json& schema;
  std::uint32_t place;
  const std::string& location;
  Node node;
  std::array<std::vector<Op>, kGroups> groups;

  void emit(Group group, Op op) { groups[group].push_back(op); }
};

class Builder {
 public:
  Builder(Program& program, Index& index) : program_(program), index_(index) {}

  // Emits every place of the index, including those that references add meanwhile.
  Status build();

 private:
  Status emit_node(std::uint32_t place);
  void finish_node(Site& site);
  void fill_dynamic_anchors();
  Status refuse_loops() const;

  // compile_scalar.cpp
  void types(Site& site);
  void numbers(Site& site);
  Status strings(Site& site);
  void constants(Site& site);
  // compile_array.cpp
  void arrays(Site& site);
  // compile_object.cpp
  Status objects(Site& site);
  Status members(Site& site);
  void member_slots(MemberTable& table);
  void required_names(MemberTable& table, const Json& names, std::uint32_t first);
  Status pattern_members(Site& site, MemberTable& table, const Json& patterns);
  void dependencies(Site& site);
  // compile_logic.cpp
  Status references(Site& site);
  void applicators(Site& site);

  void count_op(Site& site, Group group, const char* keyword, Code code);
  std::uint32_t node_of(const Json& schema) const { return index_.place_of(schema); }
  Op list_op(Code code, const Json& schemas);
  Text store(std::string_view text);
  Text store(const Json& string) { return store(view(string)); }
  std::uint32_t literal(const Json& value);
  Result<std::uint32_t> regex(Site& site, std::string_view pattern, const std::string& location);
  std::uint32_t dynamic_anchor(const std::string& name);

  Program& program_;
  Index& index_;
  std::map<std::string, std::uint32_t> regex_numbers_;
  std::map<std::string, std::uint32_t> anchor_numbers_;
};

}  // namespace gantry::schema::detail
