// plan/typing/paths.hpp: dotted paths of a pipeline, through pointers too.
//
// A path that continues below a pointer needs the pointer's object. It is joined into the document
// under a name that no column has, "customer_id->", and the path continues there.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/typing/type.hpp"

namespace gantry::data::typing {

// An object that a stage needs beside the document.
struct Join {
  std::string as;     // the field that gets it
  std::string local;  // the path of the pointer
  const ClassView* cls = nullptr;
  std::string foreign;           // the class's field that the pointer equals
  std::set<std::string> fields;  // those that are read
};

// The joins of one stage, in an order in which they can be made.
class Joins {
 public:
  void want(Join join, std::string_view field);
  const std::vector<Join>& list() const { return list_; }

 private:
  std::vector<Join> list_;
};

struct Place {
  std::string path;  // as documents have it
  TypePtr type;      // an array's type where the path leads through arrays
};

class PathReader {
 public:
  static constexpr int kMostHops = 3;

  // `joins` null: pointers cannot be followed here. All must outlive this.
  PathReader(const Scope& scope, TypePtr root, Joins* joins)
      : scope_(scope), root_(std::move(root)), joins_(joins) {}

  // Throws QueryError: below a pointer or a column the path names nothing, or it cannot be followed
  // here. A root field is not checked, see ../field_check.hpp.
  Place read(std::string_view path) const;

 private:
  class Walk;

  const Scope& scope_;
  const TypePtr root_;
  Joins* const joins_;
};

// The class whose documents have `place` unchanged, with its path there; a null class: unknown.
struct Origin {
  const ClassView* cls = nullptr;
  std::string path;
};
Origin origin_of(const Place& place, const Type& root);

// Why the documents have no field that `path` begins with, though the class or an earlier stage had
// it; empty: they have it, or nothing is known.
std::string gone(const Type& root, std::string_view path);

// Whether a field of a document was joined for a path.
inline bool is_joined_name(std::string_view name) { return name.ends_with("->"); }

}  // namespace gantry::data::typing
