// The operands of stages, and the replacement of marks in operands.
#include <array>

#include "tests/budget/entries.hpp"

namespace gantry::data::budget_tests {
namespace {

// clang-format off: a line for each stage
const std::vector<Entry> kStages = {
    {"$addFields",
     {"{'x':{'$map':{'input':{'$range':[0,1000]},'in':{'$concat':['$t','x']}}}}", "{'p.x':'$t'}"}},
    {"$bucket",
     {"{'groupBy':'$i','boundaries':[0,10,1000000],'default':'x','output':{'a':{'$push':{'$concat':"
      "['$s','x']}}}}"}},
    {"$bucketAuto",
     {"{'groupBy':{'$concat':['$s',{'$toString':'$i'}]},'buckets':5}",
      "{'groupBy':'$m','buckets':5}"}},
    {"$count", {"'n'"}},
    {"$densify",
     {"{'field':'i','range':{'step':0.001,'bounds':[0,400]}}",
      "{'field':'i','range':{'step':0.0001,'bounds':'full'}}"}},
    {"$documents", {"{'$map':{'input':{'$range':[0,1000000]},'in':{'a':'$$this'}}}"}},
    {"$facet",
     {"{'a':[{'$set':{'x':{'$concat':['$s',{'$toString':'$i'}]}}}],'b':[{'$unwind':'$w'},{'$limit':"
      "1000000}]}"}},
    {"$fill",
     {"{'sortBy':{'i':1},'output':{'x':{'value':{'$concat':['$s',{'$toString':'$i'}]}},'y':{'"
      "method':'locf'}}}"}},
    {"$graphLookup",
     {"{'from':'x','startWith':'$i','connectFromField':'w','connectToField':'n','as':'r'}",
      "{'from':'x','startWith':'$n','connectFromField':'n','connectToField':'n','as':'r'}"}},
    {"$group", {"{'_id':{'$concat':['$s',{'$toString':'$i'}]}}", "{'_id':'$m'}"}},
    {"$limit", {"1000000"}},
    {"$lookup",
     {"{'from':'x','localField':'n','foreignField':'n','as':'r'}",
      "{'from':'x','let':{'a':'$i'},'pipeline':[{'$match':{'$expr':{'$ne':['$m','$$a']}}},{'$set':{"
      "'y':{'$concat':['$s',{'$toString':'$$a'}]}}}],'as':'r'}"}},
    {"$match", {"{'$expr':{'$lt':[{'$size':{'$range':[0,5000000]}},0]}}"}},
    {"$project",
     {"{'o.k1':1,'p.k':1,'x':{'$concat':['$s','$s']}}", "{'w':0,'p.v':0}", "{'o':{@K:1}}",
      "{'o':{@K:0}}"}},
    {"$redact", {"{'$cond':[{'$eq':['$m','$m']},'$$DESCEND','$$PRUNE']}"}},
    {"$replaceRoot", {"{'newRoot':{'$mergeObjects':['$o',{'$arrayToObject':'$p'}]}}"}},
    {"$replaceWith", {"{'$arrayToObject':'$p'}"}},
    {"$sample", {"{'size':1000000}"}},
    {"$set",
     {"{'o.x':'$t','p':{'$concatArrays':['$p','$p','$p','$p','$p','$p','$p','$p','$p','$p','$p']}"
      "}",
      "{'o':{@K:'$i'}}", "{'o':{@K:'$zz'}}"}},
    {"$setWindowFields",
     {"{'sortBy':{'m':1},'output':{'r':{'$push':'$w','window':{'documents':['unbounded','current']}"
      "}}}",
      "{'partitionBy':{'$concat':['$s',{'$toString':'$i'}]},'output':{'r':{'$sum':1}}}",
      "{'output':{@R}}"}},
    {"$skip", {"1000000"}},
    {"$sort", {"{'m':1}", "{'p.k':-1}", "{'i':-1}", "{'n':1}", "{'n':-1,'i':1}"}},
    {"$sortByCount", {"{'$concat':['$s',{'$toString':'$i'}]}", "'$m'"}},
    {"$unionWith", {"{'coll':'x','pipeline':[{'$unwind':'$n'},{'$unwind':'$w'},{'$count':'n'}]}"}},
    {"$unset", {"['w','p.v','o.k1']", "[@U]"}},
    {"$unwind", {"'$n'", "{'path':'$m','includeArrayIndex':'x'}"}},
};
// clang-format on

constexpr std::array<std::string_view, 8> kLarge = {"$t", "$s", "$e", "$n", "$m", "$w", "$o", "$p"};
constexpr std::array<std::array<std::string_view, 2>, 8> kPairs = {{{"$t", "$s"},
                                                                    {"$s", "$t"},
                                                                    {"$t", "$t"},
                                                                    {"$n", "$n"},
                                                                    {"$m", "$m"},
                                                                    {"$o", "$o"},
                                                                    {"$n", "$w"},
                                                                    {"$t", "$m"}}};

void replace_mark(std::string& text, std::string_view mark, const std::string& by) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), by);
}

// The results of `part` for each number, separated by commas.
template <class Part>
std::string list_of(int first, int end, const Part& part) {
  std::string text;
  for (int i = first; i < end; ++i) text += (i == first ? "" : ",") + part(std::to_string(i));
  return text;
}

// The last 5,000 members of `o`, each with `value`.
std::string last_members(const std::string& value) {
  return list_of(95'000, 100'000, [&](const std::string& i) { return "'k" + i + "':" + value; });
}

// Replaces "@K:value}".
void replace_members(std::string& text) {
  const auto at = text.find("@K:");
  if (at == std::string::npos) return;
  const auto end = text.find('}', at);
  text.replace(at, end - at, last_members(text.substr(at + 3, end - at - 3)));
}

// A request has at most 1 MiB: 9,900 numbers, a polygon of 20,000 positions.
std::string numbers() {
  std::string text;
  for (int i = 0; i < 9'900; ++i) text += (text.empty() ? "" : ",") + std::to_string(-1 - i);
  return text;
}

std::string polygon_text() {
  constexpr int kCorners = 20'000;
  std::string text = "{'type':'Polygon','coordinates':[[";
  for (int i = 0; i <= kCorners; ++i) {
    const int at = i % kCorners;
    const int along = at < kCorners / 2 ? at : kCorners - at;
    const double far = (at < kCorners / 2 ? 12.0 : 4.0) + along / 1e5;
    text +=
        (i == 0 ? "[" : ",[") + std::to_string(along / 1000.0) + "," + std::to_string(far) + "]";
  }
  return text + "]]}";
}

}  // namespace

std::span<const Entry> stage_entries() { return kStages; }

std::vector<std::string> operands_of(const Entry& entry) {
  std::vector<std::string> all;
  for (const std::string_view operand : entry.operands) {
    if (operand == "@1") {
      for (const std::string_view one : kLarge) all.push_back("'" + std::string(one) + "'");
    } else if (operand == "@2") {
      for (const auto& [a, b] : kPairs) {
        all.push_back("['" + std::string(a) + "','" + std::string(b) + "']");
      }
    } else {
      std::string text(operand);
      replace_mark(text, "@N", numbers());
      replace_mark(text, "@G", polygon_text());
      replace_members(text);
      replace_mark(text, "@U",
                   list_of(0, 60'000, [](const std::string& i) { return "'x" + i + "'"; }));
      replace_mark(text, "@R", list_of(0, 30'000, [](const std::string& i) {
                     return "'x" + i + "':{'$sum':1}";
                   }));
      all.push_back(std::move(text));
    }
  }
  return all;
}

}  // namespace gantry::data::budget_tests
