// tables/columns.hpp: which values of a row a table shows, and under which headers.
//
// A path names a member of the row, whole or with dots: "team.name". Below an array it goes into
// each element that is an object and gathers what it finds, as pipelines do. One thread.
#pragma once

#include <deque>
#include <functional>
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

// Members that say what an object is, and are no columns unless they are named.
bool is_mark(std::string_view name);

// A value of a row, or empty where the row has none.
using Cells = std::vector<std::optional<Json>>;

class Columns {
 public:
  explicit Columns(std::vector<Column> list);
  // The members of `row`, each under its own name, less __type, className and ACL.
  static Columns of_row(const Json& row);

  // What a pointer leads to, as an object with the members that names[from] and those behind it
  // name; empty when `object` is no pointer, or it cannot be had. Valid until the next pick().
  using Follow = std::function<std::optional<Json>(
      const Json& object, const std::vector<std::string>& names, std::size_t from)>;
  // For paths that go on below pointers which are no objects yet.
  void follow(Follow follow) { follow_ = std::move(follow); }
  // Objects that stand in this column in place of a pointer are shown as that pointer.
  void show_pointers(std::size_t column) { shows_pointers_[column] = true; }

  const std::vector<std::string>& headers() const { return headers_; }
  // The cells of a row; valid until the next one is picked or the row's text goes.
  const Cells& pick(const Json& row);
  // Members of rows picked so far that no column begins with, at most 20, in the order they came.
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
  std::deque<std::string> gathered_;  // JSON of cells that no row holds
  std::vector<bool> shows_pointers_;  // by column
  Follow follow_;
  std::vector<std::string> left_out_;
};

// The first part of a path.
std::string_view root_of(std::string_view path);

}  // namespace gantry::data
