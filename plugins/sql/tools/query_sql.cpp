#include <gantry/data_answer.hpp>

#include "tools/tools.hpp"

namespace sql {

// {warnings?, columns, row_count, …, rows}: the columns stand before the rows that they name.
void query_sql(const gantry::Data& data, gantry::Call& call) {
  const gantry::DataReply reply = data.run(call, "sql", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.begin_structured();
  std::string head = "{" + gantry::first_members(reply);
  (void)call.raw(head.append(gantry::members_of(reply.meta)));
  if (!reply.rows.empty()) {
    (void)call.raw(",\"rows\":");
    (void)call.raw(reply.rows);
  }
  (void)call.raw("}");
  (void)call.end_structured();
}

}  // namespace sql
