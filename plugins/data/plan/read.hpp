// plan/read.hpp: a read of one class, the only thing that is planned and run.
//
// Every operation that reads objects builds one: a query, a count, a read by ids, a pipeline, a
// grouping, an export. bound_read.hpp says it in terms of the class's store, plan.hpp splits it
// between the database and the engine, and a sink receives the result: rows of columns directly, or
// documents. One thread. Functions here throw QueryError.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "errors/query_error.hpp"
#include "plan/context.hpp"
#include "sql/select.hpp"
#include "values/value.hpp"

namespace gantry::data {

class ClassSource;
struct Plan;

// The fields that a read of objects returns, and the pointers that it replaces by objects.
struct Shape {
  std::vector<std::string_view> keys;      // paths; empty: all fields
  std::vector<std::string_view> includes;  // paths of pointers
  bool with_nulls = false;                 // every row has all fields, also those that are NULL
};

// The members apply in this order. Texts are borrowed: they must outlive the read.
struct Read {
  const ClassView* view = nullptr;  // null: the stages begin with $documents
  // Only the objects with these ids, in any order.
  std::optional<std::vector<std::string_view>> ids = {};
  Value filter = {};  // a `where`; missing: all objects
  // "-createdAt,name", with ties broken by the id; "" is the id alone. None: the table's own order.
  std::optional<std::string_view> order = {};
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
  Shape shape = {};  // a pipeline has none: it reads documents whole
  // A pipeline over the documents, an array; missing: none. Its literals have the types of the
  // class's fields, see typing/typed_stages.hpp.
  Value stages = {};
  // Documents of document classes begin with their objectId, which the filter may use.
  bool as_objects = false;
  int depth = 0;  // the number of queries around this one
  // Never refused as a full scan, as reads by ids: the engine needs it, and it is small.
  bool may_scan = false;
};

// Receives the result of a read.
class ReadSink {
 public:
  virtual ~ReadSink() = default;
  // Called before documents are made. True: it has read the plan's rows itself, over the source's
  // connection, and no documents are needed.
  virtual bool take(ClassSource& /*source*/, const Plan& /*plan*/) { return false; }
  // A document, which it may modify or keep. Between documents `source` can do other reads over the
  // read's own connection. False stops the read.
  virtual bool add(Value& document, ClassSource& source) = 0;
};

inline constexpr std::uint64_t kAllDocuments = std::numeric_limits<std::uint64_t>::max();

struct Documents {
  Array list;
  bool has_more = false;  // more than the bound
};

// Collects documents, at most `most`. Refuses more than could be part of an answer.
class DocumentList : public ReadSink {
 public:
  explicit DocumentList(const ReadContext& context, std::uint64_t most = kAllDocuments)
      : context_(context), most_(most) {}
  bool add(Value& document, ClassSource& source) override;
  Documents take_found() { return std::move(found_); }

 private:
  const ReadContext& context_;
  const std::uint64_t most_;
  std::size_t weight_ = 0;
  Documents found_;
};

// Runs a read. `most`: how many documents the sink accepts. First the fields are checked
// (field_check.hpp), then the read is planned.
void run_read(const ReadContext& context, const Read& read, ReadSink& sink,
              std::uint64_t most = kAllDocuments);

// The documents of a read, at most `most`.
Documents read_documents(const ReadContext& context, const Read& read,
                         std::uint64_t most = kAllDocuments);

// For a read whose clauses say everything, without stages or a filter over documents: calls `rows`
// with the connection and the clauses of the statement, whose columns are the caller's choice.
using ReadRows = std::function<void(ClassSource& source, const Clauses& clauses)>;
void read_rows(const ReadContext& context, const Read& read, const ReadRows& rows);
// The same over the connection of another read, while that has a statement open. Without an order,
// which may need a look over a second connection.
void read_rows(ClassSource& source, const Read& read, const ReadRows& rows);
// The number of rows of such a statement.
std::uint64_t count_rows(ClassSource& source, const ClassView& cls, const Clauses& clauses);

// The number of objects of a read without stages.
std::uint64_t count_objects(const ReadContext& context, Read read);

// Throws the errors that run_read() throws before it reads a row of the class.
void check_read(const ReadContext& context, const Read& read);

}  // namespace gantry::data
