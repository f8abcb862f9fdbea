// store/sqlite/table_shapes.hpp: how tables store rows, as the writing connection sees the schema.
//
// Read once for each version of the schema. One thread at a time, as the connection.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/editor.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

class TableShapes {
 public:
  // Forgets what was read of another version of the schema.
  void expect(std::int64_t schema_version);
  // The open transaction changes the schema: the next one reads anew, whether it commits or not.
  void forget() { expect(kNoVersion); }

  // As Edit::shape() and Edit::keys_to(); valid until the next expect().
  Outcome<const TableShape*> shape(Connection& connection, const std::string& table);
  Outcome<const std::vector<ReferringKey>*> keys_to(Connection& connection,
                                                    const std::string& table);
  // As Edit::text_of_table().
  static Outcome<TableText> text(Connection& connection, const std::string& table);

 private:
  Status read_keys(Connection& connection);

  static constexpr std::int64_t kNoVersion = -1;
  std::int64_t version_ = kNoVersion;
  // By the name of a table in lower case; of the table that the foreign keys refer to.
  std::map<std::string, TableShape> shapes_;
  std::optional<std::map<std::string, std::vector<ReferringKey>>> keys_;
};

}  // namespace gantry::data::sqlite
