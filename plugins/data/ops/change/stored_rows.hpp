// ops/change/stored_rows.hpp: rows as the database stores them, with all columns, whatever an agent
// sees of them: for the journal of writes alone.
//
// Throws QueryError. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "journal/record.hpp"
#include "store/store.hpp"

namespace gantry::data {

// None: there is no row at this place.
std::optional<StoredRow> read_stored(Lease& lease, const WrittenTable& table,
                                     const std::vector<ColumnValue>& place);

// Two that are none are the same.
bool is_same_row(const std::optional<StoredRow>& a, const std::optional<StoredRow>& b);

// The last step of each row, by name_of_row(): a text that names the row.
std::map<std::string, std::size_t> last_steps(const Images& images);
std::string name_of_row(const Images& images, const RowStep& step);
std::string name_of_row(const std::string& table, const std::vector<ColumnValue>& place);

bool is_there(Lease& lease, const WrittenTable& table);

// Whether the database is as the write left it.
bool is_as_written(Lease& lease, const Images& images);

// Settles the records of processes that were killed between their commit and its mark. Call it at
// the begin of a transaction, before it changes anything. The error is the journal's.
Status settle_pending(Journal& journal, Lease& lease);

}  // namespace gantry::data
