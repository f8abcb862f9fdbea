// ops/change/row_change.hpp: the given data of one write as what its row stores. Throws QueryError.
#pragma once

#include <string>
#include <vector>

#include "ops/change/session.hpp"
#include "ops/change/write.hpp"

namespace gantry::data {

struct RowChange {
  std::vector<ColumnValue> values;
  std::vector<std::string> given;  // the fields that the caller gave, as the caller sees them
};

// `place`: the row that is updated; null: a new one. Values are converted exactly or refused; the
// tenant, the access lists of a new object and the times of change are added.
RowChange row_change(Session& session, const WrittenClass& cls, const Write& write,
                     const Place* place);
// The two kinds of classes.
RowChange column_change(Session& session, const WrittenClass& cls, const Write& write,
                        const Place* place);
RowChange document_change(Session& session, const WrittenClass& cls, const Write& write,
                          const Place* place);

// Refuses an internal name at any depth of a given value.
void check_inner_names(const rapidjson::Value& json, const ClassView& shown);

// The names that a new object of this agent has in its access lists, as JSON; empty: a master, or
// the class has none.
std::string own_access_list(const Session& session, const ClassView& whole);

// The tenant that a new object belongs to; empty: none.
std::string own_tenant(const Session& session, const WrittenClass& cls);

}  // namespace gantry::data
