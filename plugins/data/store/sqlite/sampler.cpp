#include "store/sqlite/sampler.hpp"

#include <algorithm>
#include <mutex>

#include "catalog/column_sample.hpp"
#include "catalog/well_known.hpp"
#include "store/sqlite/match_function.hpp"

namespace gantry::data::sqlite {
namespace {

// Of a blob the first byte tells whether it may be JSON. The pages of a large one are not read: it
// counts as one that may be.
std::string sample_sql(const ClassInfo& info) {
  std::string sql;
  for (const auto& field : info.fields) {
    sql += (sql.empty() ? "SELECT " : ",");
    const std::string& column = field.column;
    sql += "iif(typeof(" + column + ")='blob',iif(length(" + column + ")<65536,substr(" + column +
           ",1,1),x'5b')," + column + ")";
  }
  if (sql.empty()) sql = "SELECT 1";  // document classes: rows are only counted
  const bool is_ordered = info.order_tells && !info.rowid.empty();
  const std::string order = is_ordered ? " ORDER BY " + info.rowid : "";
  return sql + " FROM " + info.table + order + " LIMIT " + std::to_string(kSampleRows + 1);
}

struct RowsRead {
  int rows = 0;
  Status status;
};

RowsRead read_rows(Lease& lease, const ClassInfo& info, std::vector<ColumnSample>& columns) {
  auto statement = lease.connection().prepare(sample_sql(info));
  if (!statement) return {0, statement.status()};
  int rows = 0;
  for (; statement->next(); ++rows) {
    const Row row = statement->row();
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(row[i]);
  }
  return {rows, statement->status()};
}

std::optional<std::int64_t> number_of(Lease& lease, const std::string& sql) {
  auto statement = lease.connection().prepare(sql);
  if (!statement || !statement->next()) return std::nullopt;
  return statement->integer(0);
}

std::string first_rows(const ClassInfo& info, std::int64_t most) {
  return "SELECT count(*) FROM (SELECT 1 FROM " + info.table + " LIMIT " + std::to_string(most) +
         ")";
}

std::optional<std::int64_t> estimate(Lease& lease, const ClassInfo& info, int sampled) {
  if (sampled <= kSampleRows) return sampled;
  if (info.estimated_rows.value_or(0) > 0 || info.type == ClassType::view)
    return info.estimated_rows;
  constexpr std::int64_t kMostCounted = 10'000, kMostWithoutRowid = 100'000;
  const bool has_rowid = !info.rowid.empty() && !info.without_rowid;
  // First what takes no time: a count may exceed the time for a sample.
  const auto last = has_rowid
                        ? number_of(lease, "SELECT max(" + info.rowid + ") FROM " + info.table)
                        : std::nullopt;
  const auto counted =
      number_of(lease, first_rows(info, has_rowid ? kMostCounted : kMostWithoutRowid));
  if (counted && (!has_rowid || *counted < kMostCounted)) return *counted;
  // Rowids may be sparse. A row takes at least a few bytes, which bounds their number.
  const std::int64_t least = counted.value_or(sampled);
  const std::int64_t room = lease.connection().files().size / 4;
  return std::clamp<std::int64_t>(last.value_or(0), least, std::max<std::int64_t>(room, least));
}

std::optional<Sampled> sample(Lease& lease, const ClassInfo& declared) {
  Sampled result{declared, true};
  std::vector<ColumnSample> columns(declared.fields.size());
  const RowsRead read = read_rows(lease, declared, columns);
  const bool failed = !read.status;
  if (failed && read.status.code() == GANTRY_BUSY) return std::nullopt;
  if (failed && read.rows == 0) return result;
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].refine(result.info.fields[i]);
  find_timestamps(result.info);
  if (failed) return result;
  result.info.sampled = true;
  result.info.estimated_rows = estimate(lease, declared, read.rows);
  result.settled = read.rows > kSampleRows;
  // Rows of a view may come with the time.
  result.info.all_sampled = !result.settled && declared.type != ClassType::view;
  return result;
}

}  // namespace

Sampler make_sampler(std::shared_ptr<Pool> pool) {
  auto mutex = std::make_shared<std::mutex>();
  return [pool = std::move(pool), mutex](const ClassInfo& declared) -> std::optional<Sampled> {
    const std::lock_guard lock(*mutex);
    const Budget budget = Budget::for_ms(kSampleMilliseconds);
    auto connection = pool->take(budget, true);
    if (!connection) return std::nullopt;
    Lease lease(pool, std::move(*connection), true);
    return sample(lease, declared);
  };
}

}  // namespace gantry::data::sqlite
