#include "shapes.hpp"

namespace gantry::worlds {
namespace {

struct Parts {
  std::string visible, denied;  // members of a document's JSON, each with a comma before it
};

std::string number_of(Chance& chance) { return chance.of({"1", "2", "2.5", "10", "null"}); }

std::string point(Chance& chance) {
  return R"({"type":"Point","coordinates":[)" + chance.of({"7.4", "8.5", "10.7"}) + "," +
         chance.of({"46.9", "47.4", "59.9"}) + "]}";
}

Parts visible_parts(Chance& chance) {
  Parts parts;
  parts.visible =
      R"(,"name":")" + chance.of({"doc a", "doc b", "Doc"}) + R"(","n":)" + number_of(chance);
  if (chance.once_in(2)) parts.visible += R"(,"tags":["x",")" + chance.of({"y", "z"}) + R"("])";
  if (chance.once_in(2)) parts.visible += R"(,"sub":{"a":)" + number_of(chance) + "}";
  if (chance.once_in(2)) parts.visible += R"(,"place":)" + point(chance);
  return parts;
}

std::string denied_parts(Chance& chance) {
  std::string json = R"(,"secret":")" + chance.of({"s3cret", "omega"}) + "\"";
  if (chance.once_in(3)) json += R"(,"ghostkey":)" + number_of(chance);
  return json + R"(,"home":)" + point(chance);
}

std::string hidden_document(Chance& chance, int id) {
  const std::string tenant = chance.of({R"(,"tenant":"beta")", R"(,"tenant":"ACME")", "",
                                        R"(,"tenant":null)", R"(,"tenant":["acme"])"});
  const std::string n = chance.of({"666", "\"odd\"", "{}"});
  return R"({"_id":)" + std::to_string(id) + R"(,"name":"ghost doc","n":)" + n +
         R"(,"hiddenkey":1,"place":)" + point(chance) + tenant + denied_parts(chance) + "}";
}

std::string insert(int rowid, const std::string& text) {
  return "INSERT INTO doc(k,d) VALUES(" + std::to_string(rowid) + ",'" + text + "');\n";
}

}  // namespace

Documents make_documents(Chance& chance) {
  Documents docs;
  const std::string create = "CREATE TABLE doc(k INTEGER PRIMARY KEY, d TEXT);\n";
  docs.one = docs.other = docs.visible_only = create;
  docs.words.name = "doc";
  for (int id = 1; id <= 24; ++id) {
    if (chance.once_in(2)) {
      const std::string start = R"({"_id":)" + std::to_string(id) + visible_parts(chance).visible;
      const std::string end = R"(,"tenant":"acme"})";
      docs.one += insert(id, start + denied_parts(chance) + end);
      docs.other += insert(id, start + denied_parts(chance) + end);
      docs.visible_only += insert(id, start + "}");
      docs.words.ids.seen.push_back(std::to_string(id));
      continue;
    }
    if (chance.once_in(2)) docs.one += insert(id, hidden_document(chance, id));
    const bool is_broken = chance.once_in(6);
    docs.other += insert(id, is_broken ? "{broken" : hidden_document(chance, id));
    docs.words.ids.hidden.push_back(std::to_string(id));
  }
  docs.words.fields = {"name", "n", "tags", "sub", "place", "_id"};
  docs.words.numbers = {"n"};
  docs.words.denied = {"secret", "tenant", "ghostkey", "home"};
  docs.words.has_tenant = true;
  docs.words.values = {{"name", {{"'doc a'", "'doc b'"}, {"'ghost doc'"}}},
                       {"n", {{"1", "2", "2.5"}, {"666", "'odd'"}}},
                       {"tags", {{"'x'", "'y'"}, {}}},
                       {"sub", {{"{'a':1}"}, {}}},
                       {"place", {{"{'type':'Point','coordinates':[7.4,46.9]}"}, {}}},
                       {"home", {{}, {"{'type':'Point','coordinates':[7.4,46.9]}"}}},
                       {"secret", {{}, {"'s3cret'", "'omega'"}}},
                       {"tenant", {{}, {"'beta'", "'ACME'"}}},
                       {"ghostkey", {{}, {"1", "2"}}},
                       {"_id", docs.words.ids}};
  return docs;
}

}  // namespace gantry::worlds
