// ops/scan.hpp: analyses a statement's query plan, and refuses full scans.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/request.hpp"

namespace gantry::data {

struct ScanReport {
  bool full_scan = false;              // may read every row of a class
  bool is_refusable = false;           // full_scan of a class without allow_collscan
  const ClassInfo* scanned = nullptr;  // the scanned class, if any
  // Visible indexes by name, each once; the primary key is "PRIMARY KEY".
  std::vector<std::string> indexes;
  std::int64_t estimated_rows = 0;  // rows that are read; an estimate if an index is used
  std::string plan;                 // SQLite's query plan, one step per line
};

// The conditions under which a scan stops before the end of the class.
struct ScanBound {
  bool is_filtered = false;            // rows that were read may be rejected
  std::optional<std::uint64_t> limit;  // of returned rows
};

// The statement of query_class and count_objects, for these functions; `order` may be empty, limit
// < 0: none.
Fragment query_sql(const ClassInfo& cls, const Fragment& where, const Fragment& order,
                   std::int64_t limit);

// Whether the operator refuses full scans of the class.
bool refuses_scan(const Request& request, const ClassInfo& cls);

// Asks the database for the plan of `sql`, a statement over `cls`, without running it. A scan in
// the requested order that reads a bounded number of rows and rejects none is not a full scan. The
// number of rows that a view reads is unknown. Errors: those of statements.
Outcome<ScanReport> scan_report(const Scope& scope, Lease& lease, const ClassInfo& cls,
                                const Fragment& sql, const ScanBound& bound);

// A read with a choice of order: the statement that returns rows in `order`, an ORDER BY list.
struct OrderedRead {
  const ClassInfo& cls;
  std::function<Fragment(const Fragment& order)> sql;
  ScanBound bound;
};

// The plan of a read that must not be a full scan. By default the database may prefer a full scan
// in the requested order to sorting the result of an index range search. If hiding the order from
// the indexes turns the scan into a search, `order` becomes the hidden one.
Outcome<ScanReport> guarded_report(const Scope& scope, Lease& lease, const OrderedRead& read,
                                   Fragment& order);

// The error for a read of `cls` that would be a refusable full scan: security_blocked with details
// {refused, reason, suggestion, plan?}. Empty if the operator allows such reads.
std::optional<DataError> refused_scan(const Request& request, Lease& lease, const ClassInfo& cls,
                                      const Fragment& sql, const ScanBound& bound);
// The same for a read with a choice of order, see guarded_report().
std::optional<DataError> refused_scan(const Request& request, Lease& lease, const OrderedRead& read,
                                      Fragment& order);

// The error for a report on a read of `cls`, independent of the operator's setting.
DataError full_scan_error(const Request& request, const ClassInfo& cls, const ScanReport& report);

// ",\"full_scan\":…" and the other members, with the plan and the SQL if callers may see them.
std::string report_members(const Request& request, const ScanReport& report, const Fragment& sql);

}  // namespace gantry::data
