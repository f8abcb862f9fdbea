// tables/columns.hpp: the values of a row that a table shows, and their headers.
//
// A path names a member of the row, either completely or with dots: "team.name". In an array the
// path is applied to each element that is an object and the results are gathered, as in pipelines.
// One thread.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gantry/json.hpp>

namespace gantry::data {

struct Column {
  std::string path;
  std::string header;
};

// Members that describe an object (__type, className, ACL): columns only if named explicitly.
bool is_mark(std::string_view name);

// The value of each column, or empty if the row has none.
using Cells = std::vector<std::optional<Json>>;

class Columns {
 public:
  explicit Columns(std::vector<Column> list);
  // The members of `row`, each under its own name, except __type, className and ACL.
  static Columns of_row(const Json& row);

  // Shows the pointer in this column where the row contains the included object.
  void show_pointers(std::size_t column) { shows_pointers_[column] = true; }

  const std::vector<std::string>& headers() const { return headers_; }
  // The cells of a row; valid until the next pick() and while the row's text lives.
  const Cells& pick(const Json& row);
  // Members of picked rows that no column starts with: at most 20, in order of appearance.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Place {
    std::size_t column;
    std::vector<std::string> below;  // names below the member; empty: the member itself
    bool is_whole;                   // the member's name is the whole path
  };

  void set(const Place& place, const Json& member);
  std::optional<Json> below(const Json& value, const std::vector<std::string>& names,
                            std::size_t from);
  void put_pointers_back();
  void leave_out(const std::string& name);

  std::vector<std::string> headers_;
  std::unordered_map<std::string, std::vector<Place>> places_;  // by the row's member
  Cells cells_;
  std::deque<std::string> gathered_;  // JSON of cells that are not part of the row's text
  std::vector<bool> shows_pointers_;  // by column
  std::vector<std::string> left_out_;
};

// The first part of a path.
std::string_view root_of(std::string_view path);

}  // namespace gantry::data
