// ops/scan.hpp: how the database will find a statement's rows, and refusing reads of whole classes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/request.hpp"

namespace gantry::data {

struct ScanReport {
  bool full_scan = false;              // every row of a class may be looked at
  bool is_refusable = false;           // and of one without allow_collscan
  const ClassInfo* scanned = nullptr;  // that class, where there is one
  // That callers may know of, by name, each once; the key that rows lie under: PRIMARY KEY.
  std::vector<std::string> indexes;
  std::int64_t estimated_rows = 0;  // that are looked at; a guess where an index leads to them
  std::string plan;                 // the database's own words, a line each
};

// What stops a scan before the end of the class.
struct ScanBound {
  bool is_filtered = false;            // rows that are read may be left out
  std::optional<std::uint64_t> limit;  // of rows
};

// What query_class and count_objects read, for these functions: `order` may be empty, no limit < 0.
Fragment query_sql(const ClassInfo& cls, const Fragment& where, const Fragment& order,
                   std::int64_t limit);

// Whether the operator refuses full scans of the class.
bool refuses_scan(const Request& request, const ClassInfo& cls);

// Asks the database for its plan of `sql`, a statement over `cls`, without running it. A scan in
// the order that is wanted, of which a bounded number of rows is read and none is left out, is none
// of the whole class; what a view reads for a row is not known. Errors: as statements have them.
Outcome<ScanReport> scan_report(const Scope& scope, sqlite::Lease& lease, const ClassInfo& cls,
                                const Fragment& sql, const ScanBound& bound);

// A read whose order can be chosen: the statement for rows in `order`, what ORDER BY says.
struct OrderedRead {
  const ClassInfo& cls;
  std::function<Fragment(const Fragment& order)> sql;
  ScanBound bound;
};

// The plan of a read that may not be a full scan. Left to itself, the database may rather read a
// whole class in the order that is asked for than sort what an index on a range leads to. Where
// hiding the order from the indexes makes a search of the scan, `order` becomes the hidden one.
Outcome<ScanReport> guarded_report(const Scope& scope, sqlite::Lease& lease,
                                   const OrderedRead& read, Fragment& order);

// The error for a read of `cls` that would be a refusable full scan: security_blocked with details
// {refused, reason, suggestion, plan?}. Nothing where the operator allows such reads.
std::optional<DataError> refused_scan(const Request& request, sqlite::Lease& lease,
                                      const ClassInfo& cls, const Fragment& sql,
                                      const ScanBound& bound);
// The same of a read whose order may change, see guarded_report().
std::optional<DataError> refused_scan(const Request& request, sqlite::Lease& lease,
                                      const OrderedRead& read, Fragment& order);

// That error of a report on a read of `cls`, whatever the operator says.
DataError full_scan_error(const Request& request, const ClassInfo& cls, const ScanReport& report);

// ",\"full_scan\":…" and so on, with the plan and the SQL where callers may see them.
std::string report_members(const Request& request, const ScanReport& report, const Fragment& sql);

}  // namespace gantry::data
