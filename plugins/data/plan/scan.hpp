// plan/scan.hpp: analyses a statement's query plan, and refuses full scans. Everything throws
// QueryError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/context.hpp"
#include "sql/select.hpp"

namespace gantry::data {

struct ScanReport {
  bool full_scan = false;     // may read every row of a class
  bool is_refusable = false;  // full_scan of a class without allow_collscan
  std::string scanned;        // the scanned class, if the agent sees it
  // Visible indexes by name, each once; the primary key is "PRIMARY KEY".
  std::vector<std::string> indexes;
  std::int64_t estimated_rows = 0;  // rows that are read; an estimate if an index is used
  std::string plan;                 // the database's query plan, one step per line
};

// The conditions under which a scan stops before the end of the class.
struct ScanBound {
  bool is_filtered = false;            // rows that were read may be rejected
  std::optional<std::uint64_t> limit;  // of returned rows
  bool reads_nothing = false;          // whatever the plan

  // Of a read with these clauses.
  static ScanBound of(const Clauses& clauses);
};

// Whether the operator refuses full scans of the class.
bool refuses_scan(const ReadContext& context, const ClassView& cls);

// Asks the database for the plan of `sql`, a statement over `cls`, without running it. A scan in
// the requested order that reads a bounded number of rows and rejects none is not a full scan. The
// number of rows that a view reads is unknown.
ScanReport scan_report(const Scope& scope, Lease& lease, const ClassView& cls, const Fragment& sql,
                       const ScanBound& bound);

// The same for a statement of the caller's own over several classes, at least one. Without a bound
// any scan of one of them counts, however few rows are returned.
ScanReport statement_report(const Scope& scope, Lease& lease,
                            const std::vector<const ClassView*>& classes, const Fragment& sql,
                            const ScanBound& bound);

// The plan of a read that must not be a full scan. By default the database may prefer a full scan
// in the requested order to sorting the result of an index range search. If hiding the order from
// the indexes turns the scan into a search, the order in `clauses` becomes the hidden one.
ScanReport guarded_report(const Scope& scope, Lease& lease, const ClassView& cls, Clauses& clauses,
                          const ScanBound& bound);

// Refuses a read of `cls` that would be a refusable full scan: security_blocked with details
// {refused, reason, suggestion, plan?}. Does nothing if the operator allows such reads.
void refuse_scan(const ReadContext& context, Lease& lease, const ClassView& cls,
                 const Fragment& sql, const ScanBound& bound);
// The same for a read with a choice of order, see guarded_report().
void refuse_scan(const ReadContext& context, Lease& lease, const ClassView& cls, Clauses& clauses,
                 const ScanBound& bound);

// Refuses a read of `cls` by its report, independent of the operator's setting.
[[noreturn]] void refuse_full_scan(const ReadContext& context, const ClassView& cls,
                                   const ScanReport& report);

// "\"full_scan\":…" and the other members, with the plan and the SQL if callers may see them. In a
// scope with rules about rows or fields there are neither, and no estimate.
std::string report_members(const ReadContext& context, const ScanReport& report,
                           const Fragment& sql);

}  // namespace gantry::data
