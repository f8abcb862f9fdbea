// The operands of accumulators and of conditions.
#include "tests/budget/entries.hpp"

namespace gantry::data::budget_tests {
namespace {

// clang-format off: a line for each operator
const std::vector<Entry> kAccumulators = {
    {"$addToSet",
     {"@1", "{'$concat':['$s',{'$toString':'$i'}]}",
      "{'$map':{'input':{'$range':[0,1000]},'in':{'$add':['$i','$$this']}}}"}},
    {"$avg", {"@1"}},
    {"$bottom", {"{'sortBy':{'n':1},'output':'$m'}", "{'sortBy':{'t':-1},'output':'$t'}"}},
    {"$bottomN",
     {"{'sortBy':{'i':1},'output':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}",
      "{'sortBy':{'w':1},'output':'$w','n':1000000}"}},
    {"$concatArrays", {"@1"}},
    {"$count", {"{}"}},
    {"$first", {"@1", "{'$range':[0,2000000]}"}},
    {"$firstN", {"{'input':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}"}},
    {"$last", {"@1", "{'$range':[0,2000000]}"}},
    {"$lastN", {"{'input':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}"}},
    {"$max", {"@1"}},
    {"$maxN",
     {"{'input':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}", "{'input':'$m','n':1000000}"}},
    {"$median", {"{'input':'$i','method':'approximate'}"}},
    {"$mergeObjects",
     {"'$o'",
      "{'$arrayToObject':{'$map':{'input':{'$range':[0,2000]},'in':[{'$concat':[{'$toString':'$i'},"
      "'-',{'$toString':'$$this'}]},1]}}}"}},
    {"$min", {"@1"}},
    {"$minN", {"{'input':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}"}},
    {"$percentile", {"{'input':'$i','p':[0.1,0.9],'method':'approximate'}"}},
    {"$push", {"@1", "{'$concat':['$s',{'$toString':'$i'}]}", "{'$range':[0,10000]}"}},
    {"$setUnion", {"@1", "{'$range':['$i',{'$add':['$i',50000]}]}"}},
    {"$stdDevPop", {"@1"}},
    {"$stdDevSamp", {"@1"}},
    {"$sum", {"@1"}},
    {"$top", {"{'sortBy':{'n':1},'output':'$m'}"}},
    {"$topN", {"{'sortBy':{'i':-1},'output':{'$concat':['$s',{'$toString':'$i'}]},'n':1000000}"}},
};

// Window functions that are also accumulators use the accumulators' operands.
const std::vector<Entry> kWindows = {
    {"$covariancePop", {"['$i','$i']"}},
    {"$covarianceSamp", {"['$i','$i']"}},
    {"$denseRank", {"{}"}},
    {"$derivative", {"{'input':'$i'}"}},
    {"$documentNumber", {"{}"}},
    {"$expMovingAvg", {"{'input':'$i','N':5}"}},
    {"$integral", {"{'input':'$i'}"}},
    {"$linearFill", {"'$i'"}},
    {"$locf", {"'$m'"}},
    {"$rank", {"{}"}},
    {"$shift", {"{'output':{'$concat':['$s',{'$toString':'$i'}]},'by':1}"}},
};

const std::vector<Entry> kConditions = {
    {"$all", {"['a','b']", "[1,2,3]"}},
    {"$alwaysFalse", {"{'$alwaysFalse':1}"}},
    {"$alwaysTrue", {"{'$alwaysTrue':1}"}},
    {"$and", {"{'$and':[{'m':'$s'},{'w':'x'}]}"}},
    {"$bitsAllClear", {"[1,5]"}},
    {"$bitsAllSet", {"[1,5]"}},
    {"$bitsAnyClear", {"[1,5]"}},
    {"$bitsAnySet", {"[1,5]"}},
    {"$comment", {"{'$comment':'x'}"}},
    {"$containedBy", {"['a','b',1,2,3]"}},
    {"$elemMatch", {"{'$gt':'b'}", "{'v':{'$lt':0}}", "{'0':1}"}},
    {"$eq", {"'a'", "5000000"}},
    {"$exists", {"true"}},
    {"$expr",
     {"{'$expr':{'$eq':['$m','$m']}}", "{'$expr':{'$gt':[{'$indexOfBytes':['$t','$s']},0]}}",
      "{'$expr':{'$in':['$t',{'$split':['$t','a']}]}}"}},
    {"$geoIntersects", {"{'g':{'$geoIntersects':{'$geometry':@G}}}"}},
    {"$geoNear", {"{'g':{'$geoNear':{'$geometry':{'type':'Point','coordinates':[1,1]}}}}"}},
    {"$geoWithin",
     {"{'g':{'$geoWithin':{'$geometry':@G}}}", "{'g':{'$geoWithin':{'$centerSphere':[[0,0],1]}}}"}},
    {"$gt", {"'b'", "5000000"}},
    {"$gte", {"'b'"}},
    {"$in", {"['b','c',5000000]", "[@N]"}},
    {"$lt", {"''"}},
    {"$lte", {"''"}},
    {"$maxDistance", {"{'g':{'$near':[1,1],'$maxDistance':1}}"}},
    {"$maxDistanceInKilometers", {"{'g':{'$nearSphere':[1,1],'$maxDistanceInKilometers':1}}"}},
    {"$maxDistanceInMiles", {"{'g':{'$nearSphere':[1,1],'$maxDistanceInMiles':1}}"}},
    {"$maxDistanceInRadians", {"{'g':{'$nearSphere':[1,1],'$maxDistanceInRadians':1}}"}},
    {"$minDistance", {"{'g':{'$near':[1,1],'$minDistance':1}}"}},
    {"$mod", {"[7,8]"}},
    {"$ne", {"'b'"}},
    {"$near", {"{'g':{'$near':[1,1]}}"}},
    {"$nearSphere", {"{'g':{'$nearSphere':[1,1]}}"}},
    {"$nin", {"['b','c']"}},
    {"$nor", {"{'$nor':[{'m':'x'},{'w':'x'}]}"}},
    {"$not", {"{'$gt':'b'}"}},
    {"$options", {"{'t':{'$regex':'[^X]*X','$options':'i'}}"}},
    {"$or", {"{'$or':[{'m':'x'},{'w':'x'}]}"}},
    {"$regex", {"'[^x]*x'", "'(a|aa)+$'", "'(?:a[^x]*x|a)*y'"}},
    {"$sampleRate", {"{'$sampleRate':0.5}"}},
    {"$size", {"5"}},
    {"$type", {"'string'"}},
    {"$uniqueDocs", {"{'g':{'$near':[1,1],'$uniqueDocs':true}}"}},
    {"$within", {"{'g':{'$within':{'$geometry':@G}}}"}},
};
// clang-format on

}  // namespace

std::span<const Entry> accumulator_entries() { return kAccumulators; }
std::span<const Entry> window_entries() { return kWindows; }
std::span<const Entry> condition_entries() { return kConditions; }

}  // namespace gantry::data::budget_tests
