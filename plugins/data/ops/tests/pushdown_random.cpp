#include "pushdown_random.hpp"

namespace gantry::data {
namespace {

const std::vector<std::string> kTexts = {"''",  "'a'",  "'A'",  "'ab'", "'b'", "'é'",   "'10'",
                                         "'9'", "'a '", "'Zz'", "'z'",  "'😀'", "'NULL'"};
const std::vector<std::string> kIntegers = {"0",
                                            "1",
                                            "-1",
                                            "2",
                                            "9007199254740993",
                                            "10",
                                            "-7",
                                            "3",
                                            "9007199254740992",
                                            "9223372036854775807"};
const std::vector<std::string> kReals = {"0.5",   "-1.5", "2.0",  "9007199254740992.0",
                                         "1e300", "3.0",  "-0.0", "0.1"};
const std::vector<std::string> kBlobs = {"x''", "x'61'", "x'00ff'", "x'6162'"};
const std::vector<std::string> kIsoTexts = {
    "'2026-01-31T23:30:00.000Z'", "'2026-02-01T00:00:00.000Z'", "'2025-12-31T12:00:00.500Z'",
    "'2026-01-31T23:30:00.001Z'", "'2024-02-29T00:00:00.000Z'"};
const std::vector<std::string> kOtherIso = {"'2026-02-01T01:00:00+02:00'", "'2026-01-31'",
                                            "'2026-01-31 23:30:00'", "'no date'", "7"};
const std::vector<std::string> kSeconds = {"1769902200", "1769902201", "1735646400", "1700000000"};
const std::vector<std::string> kMillis = {"1769902200000", "1769902200001", "1735646400500",
                                          "1700000000000"};
const std::vector<std::string> kJulians = {"2461072.5", "2461073.25", "2460000.5"};
const std::vector<std::string> kJson = {"'[1,2,\"a\"]'", "'{\"b\":1}'", "'[]'", "'{\"b\":[1,3]}'",
                                        "'{\"b\":null}'"};

std::string or_null(Chance& chance, const std::string& value) {
  return chance.once_in(6) ? "NULL" : value;
}

std::string anything(Chance& chance) {
  switch (chance.below(4)) {
    case 0:
      return chance.of(kTexts);
    case 1:
      return chance.of(kIntegers);
    case 2:
      return chance.of(kReals);
    default:
      return chance.of(kBlobs);
  }
}

// Usually a value of the column's kind, sometimes another one.
std::string mostly(Chance& chance, const std::vector<std::string>& values, bool is_sloppy) {
  if (is_sloppy && chance.once_in(8)) return anything(chance);
  return or_null(chance, chance.of(values));
}

std::string row(Chance& chance, bool is_sloppy) {
  const auto one = [&](const std::vector<std::string>& values) {
    return "," + mostly(chance, values, is_sloppy);
  };
  std::string sql = one(kTexts) + one(kIntegers) + one(kReals) + one({"0", "1"});
  const bool is_odd = is_sloppy && chance.once_in(6);
  sql += "," + or_null(chance, chance.of(is_odd ? kOtherIso : kIsoTexts));
  sql += one(kSeconds) + one(kMillis) + one(kJulians) + one(kTexts);
  sql += "," + or_null(chance, chance.of(kJson));
  return sql + "," + or_null(chance, chance.of({"'p1'", "'p2'", "'p3'"}));
}

std::string column_names(bool is_strict) {
  const std::string real = is_strict ? "REAL" : "DOUBLE";
  const std::string flag = is_strict ? "INTEGER" : "BOOLEAN";
  const std::string iso = is_strict ? "TEXT" : "DATETIME";
  const std::string json = is_strict ? "TEXT" : "JSON";
  return "txt TEXT, num INTEGER, dbl " + real + ", flag " + flag + ", iso_at " + iso + ", sec_at " +
         (is_strict ? "INTEGER" : "TIMESTAMP") + ", ms_at " + (is_strict ? "INTEGER" : "DATETIME") +
         ", jul_at " + (is_strict ? "REAL" : "DATETIME") + ", low TEXT COLLATE NOCASE, doc " +
         json + ", ptr TEXT REFERENCES target(id)";
}

const std::vector<std::string> kFields = {"txt",    "num",   "dbl",      "flag",  "iso_at",
                                          "sec_at", "ms_at", "jul_at",   "low",   "doc",
                                          "ptr",    "_id",   "objectId", "doc.b", "txt.x"};
const std::vector<std::string> kLiterals = {
    "null",
    "0",
    "1",
    "-1",
    "2",
    "2.5",
    "9007199254740993",
    "9007199254740992",
    "1e300",
    "true",
    "false",
    "'a'",
    "'A'",
    "''",
    "'10'",
    "'b'",
    "'p1'",
    "'p2'",
    "[1]",
    "{'b':1}",
    "{'$date':'2026-01-31T23:30:00.000Z'}",
    "{'$date':'2026-01-31T23:30:00.001Z'}",
    "{'$date':'2025-01-01T00:00:00Z'}",
    "'2026-01-31T23:30:00.000Z'",
    "'3'",
    "1769902200",
    "{'__type':'Pointer','className':'target','objectId':'p2'}",
    "{'$numberDouble':'NaN'}",
    "{'$numberDouble':'Infinity'}"};

std::string operation(Chance& chance, int depth) {
  const std::string literal = chance.of(kLiterals);
  switch (chance.below(depth > 1 ? 10 : 12)) {
    case 0:
      return "'$ne':" + literal;
    case 1:
      return "'$in':[" + literal + "," + chance.of(kLiterals) + "," + chance.of(kLiterals) + "]";
    case 2:
      return "'$nin':[" + literal + "," + chance.of(kLiterals) + "]";
    case 3:
      return std::string("'$exists':") + (chance.once_in(2) ? "true" : "false");
    case 4:
      return "'$gt':" + literal;
    case 5:
      return "'$gte':" + literal;
    case 6:
      return "'$lt':" + literal;
    case 7:
      return "'$lte':" + literal;
    case 8:
      return "'$eq':" + literal;
    case 9:
      return "'$gte':" + literal + ",'$lt':" + chance.of(kLiterals);
    case 10:
      return chance.of({"'$type':'string'", "'$type':'number'", "'$regex':'^a'", "'$mod':[2,1]",
                        "'$regex':'^A','$options':'i'", "'$size':0", "'$type':'date'",
                        "'$gt':'a','$regex':'b$'"});
    default:
      return "'$not':{" + operation(chance, depth + 1) + "}";
  }
}

std::string condition(Chance& chance) {
  const std::string field = "'" + chance.of(kFields) + "':";
  if (chance.once_in(3)) return field + chance.of(kLiterals);
  return field + "{" + operation(chance, 0) + "}";
}

std::string random_filter(Chance& chance, int depth) {
  if (depth < 2 && chance.once_in(5)) {
    return "{" + ("'" + chance.of({"$or", "$and", "$nor"})) + "':[" +
           random_filter(chance, depth + 1) + "," + random_filter(chance, depth + 1) + "]}";
  }
  if (chance.once_in(12)) return "{'$expr':{'$gt':['$num','$dbl']}," + condition(chance) + "}";
  if (chance.once_in(3)) {
    return "{'$and':[{" + condition(chance) + "},{" + condition(chance) + "}]}";
  }
  return "{" + condition(chance) + "}";
}

std::string sort_stage(Chance& chance) {
  std::string keys = "'" + chance.of(kFields) + "':" + chance.of({"1", "-1"});
  const std::string other = chance.of({"num", "txt", "low", "iso_at"});
  if (chance.once_in(2) && keys.find("'" + other + "'") == std::string::npos) {
    keys += ",'" + other + "':" + chance.of({"1", "-1"});
  }
  return "{'$sort':{" + keys + "}}";
}

std::string stage(Chance& chance) {
  switch (chance.below(8)) {
    case 0:
    case 1:
    case 2:
      return "{'$match':" + random_filter(chance, 0) + "}";
    case 3:
    case 4:
      return sort_stage(chance);
    case 5:
      return "{'$limit':" + std::to_string(1 + chance.below(20)) + "}";
    case 6:
      return "{'$skip':" + std::to_string(chance.below(10)) + "}";
    default:
      return chance.of({"{'$project':{'txt':1,'num':1}}", "{'$group':{'_id':'$low'}}",
                        "{'$group':{'_id':'$flag','n':{'$sum':1},'f':{'$first':'$_id'}}}"});
  }
}

}  // namespace

std::string random_tables(Chance& chance, int rows) {
  std::string sql =
      "BEGIN; CREATE TABLE target(id TEXT PRIMARY KEY); INSERT INTO target "
      "VALUES('p1'),('p2'),('p3');"
      "CREATE TABLE strict(id INTEGER PRIMARY KEY," +
      column_names(true) + ") STRICT; CREATE TABLE sloppy(id TEXT PRIMARY KEY," +
      column_names(false) + "); CREATE TABLE keyed(id TEXT PRIMARY KEY," + column_names(true) +
      ") STRICT, WITHOUT ROWID; CREATE INDEX low_strict ON strict(low, num);"
      "CREATE INDEX iso_sloppy ON sloppy(iso_at); CREATE INDEX txt_sloppy ON sloppy(txt);";
  for (int i = 0; i < rows; ++i) {
    const std::string id = std::to_string((i * 37) % 101 + 100 * (i / 101));
    sql += "INSERT INTO strict VALUES(" + std::to_string(i * 3) + row(chance, false) + ");";
    sql += "INSERT OR IGNORE INTO sloppy VALUES('s" + id + "'" + row(chance, true) + ");";
    sql += "INSERT OR IGNORE INTO keyed VALUES('k" + id + "'" + row(chance, false) + ");";
  }
  return sql + "COMMIT;";
}

namespace {

std::string random_stages(Chance& chance) {
  std::string stages;
  const std::uint32_t count = 1 + chance.below(4);
  for (std::uint32_t i = 0; i < count; ++i) stages += (i > 0 ? "," : "") + stage(chance);
  if (chance.once_in(4)) stages += ",{'$count':'n'}";
  return stages;
}

}  // namespace

std::string random_arguments(Chance& chance) {
  const std::string stages = random_stages(chance);
  return "{'class_name':'" + chance.of({"strict", "sloppy", "keyed"}) + "','pipeline':[" + stages +
         "]}";
}

std::string random_arguments_inside(Chance& chance) {
  const std::string cls = "'" + chance.of({"strict", "sloppy", "keyed"}) + "'";
  const std::string first = chance.once_in(2) ? "{'$match':" + random_filter(chance, 0) + "}," : "";
  const std::string stages = first + random_stages(chance);
  std::string outer = "{'$lookup':{'from':" + cls + ",'as':'them','pipeline':[";
  switch (chance.below(5)) {
    case 0:
      outer = "{'$unionWith':{'coll':" + cls + ",'pipeline':[" + stages + "]}}";
      break;
    case 1:
      outer += stages + "]}}";
      break;
    case 2:
      outer += stages + "],'localField':'objectId','foreignField':'" +
               chance.of({"ptr.objectId", "txt", "low"}) + "'}}";
      break;
    case 3:
      outer += "{'$match':{'$expr':{'$eq':['$" + chance.of({"ptr.objectId", "low"}) +
               "','$$own']}}}," + stages + "],'let':{'own':'$objectId'}}}";
      break;
    default:
      outer = "{'$graphLookup':{'from':" + cls +
              ",'as':'them','startWith':'$objectId','connectFromField':'num','connectToField':"
              "'ptr.objectId','restrictSearchWithMatch':" +
              random_filter(chance, 0) + "}}";
  }
  return "{'class_name':'target','pipeline':[" + outer + "]}";
}

}  // namespace gantry::data
