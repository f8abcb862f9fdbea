#include "people.hpp"

namespace gantry::data::testing {
namespace {

constexpr const char* kSchema = R"(
CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
INSERT INTO team VALUES(10,'red',3),(20,'blue',5),(30,'green',NULL);
CREATE TABLE part(a TEXT, b INTEGER, n INTEGER, PRIMARY KEY(a,b)) WITHOUT ROWID;
INSERT INTO part VALUES('x',1,1),('x',2,2),('y,z',1,3),('50%',1,4);
CREATE TABLE person(
  n INTEGER PRIMARY KEY, name TEXT, nick TEXT COLLATE NOCASE, age INTEGER, score REAL,
  active BOOLEAN, born DATETIME, ms INTEGER, sec INTEGER, jd REAL, photo BLOB, mixed, label STRING,
  tags TEXT, meta TEXT, team INTEGER);
INSERT INTO person VALUES
 (1,'ann','Ann',30,1.5,1,'2026-11-21T20:00:00.000Z',1795291200000,1795291200,
  julianday('2026-11-21T20:00:00'),x'00ff',5,'abc','["a","b"]','{"k":"v","n":1,"deep":{"z":[1,2]}}',10),
 (2,'bob','bob',40,2,0,'2026-11-21 21:00:00+01:00',1795291200001,1795291201,
  julianday('2026-11-22'),x'01','5','10','[]','{"n":null}',20),
 (3,'Ann','ANN',NULL,-0.5,NULL,'2026-11-22',0,0,NULL,NULL,NULL,'abd','[1,2,[3,4]]','{"n":2.5,"k":["v","w"]}',NULL),
 (4,NULL,NULL,9007199254740993,NULL,1,NULL,NULL,NULL,NULL,NULL,2.5,NULL,NULL,NULL,30),
 (5,'annabel','x',-3,1e300,0,'not a date','late','late',NULL,'text',x'05',12,'not json','[{"k":"v"},{"n":1}]',10),
 (6,'ann%','Y',0,0,2,'2019-01-01T00:00:00Z',-1,-1,0.5,x'','ann','','"a"','{"k":"v","n":"1"}',99),
 (7,x'616e6e','z','old','high','yes',17,'x','x','x',7,'','7','{"a":1,"b":2}','{"b":2,"a":1}',10),
 (8,'zoë','Zoë',40,2.0,1,'2026-11-21T20:00Z',1795291200000,1795291200,NULL,NULL,9007199254740993,'zz',
  '[{"s":"p","q":5},{"s":"r","q":1},null,true]','{"k":null,"when":{"__type":"Date","iso":"2026-01-01"},
  "list":[[1,2],[3]],"ok":true}',20);
CREATE INDEX i_name ON person(name); CREATE INDEX i_nick ON person(nick);
CREATE INDEX i_age ON person(age); CREATE INDEX i_score ON person(score);
CREATE INDEX i_active ON person(active);
CREATE INDEX i_born ON person(born); CREATE INDEX i_ms ON person(ms);
CREATE INDEX i_sec ON person(sec); CREATE INDEX i_jd ON person(jd);
CREATE INDEX i_mixed ON person(mixed); CREATE INDEX i_label ON person(label);
CREATE INDEX i_team ON person(team);
)";

Field numeric(std::string name, Kind kind, std::string declared) {
  Field made = field(std::move(name), kind);
  made.numeric_affinity = true;
  made.declared = std::move(declared);
  return made;
}

Field text(std::string name, Kind kind = Kind::string) {
  Field made = field(std::move(name), kind);
  made.declared = "TEXT";
  return made;
}

Field key(std::string name) {
  Field made = numeric(std::move(name), Kind::integer, "INTEGER");
  made.storage = Kind::integer;
  made.proven = true;
  return made;
}

Field date(Field made, DateForm form) {
  made.kind = Kind::date;
  made.date_form = form;
  return made;
}

Field json(std::string name, Kind kind) {
  Field made = text(std::move(name), kind);
  made.json = true;
  return made;
}

ClassInfo class_of(std::string name, std::string table, std::vector<Field> fields) {
  ClassInfo cls;
  cls.name = std::move(name);
  cls.table = "`" + table + "`";
  cls.fields = std::move(fields);
  cls.id_form = IdForm::column;
  cls.id_fields = {0};
  return cls;
}

ClassInfo person() {
  Field nick = text("nick");
  nick.binary_collation = false;
  Field team = numeric("team", Kind::pointer, "INTEGER");
  team.native = Kind::integer;
  team.target_class = "Team";
  team.target_field = "id";
  return class_of(
      "Person", "person",
      {key("n"), text("name"), nick, numeric("age", Kind::integer, "INTEGER"),
       numeric("score", Kind::number, "REAL"), numeric("active", Kind::boolean, "BOOLEAN"),
       date(numeric("born", Kind::date, "DATETIME"), DateForm::iso_text),
       date(numeric("ms", Kind::date, "INTEGER"), DateForm::epoch_millis),
       date(numeric("sec", Kind::date, "INTEGER"), DateForm::epoch_seconds),
       date(numeric("jd", Kind::date, "REAL"), DateForm::julian), field("photo", Kind::bytes),
       field("mixed", Kind::any), numeric("label", Kind::string, "STRING"),
       json("tags", Kind::array), json("meta", Kind::object), team});
}

CatalogPtr catalog() {
  ClassInfo part = class_of(
      "Part", "part",
      {text("a"), numeric("b", Kind::integer, "INTEGER"), numeric("n", Kind::integer, "INTEGER")});
  part.id_form = IdForm::composite;
  part.id_fields = {0, 1};
  ClassInfo team = class_of("Team", "team",
                            {key("id"), text("name"), numeric("size", Kind::integer, "INTEGER")});
  ClassInfo people = person();
  people.created_at = 6;
  return std::make_shared<const Catalog>(
      std::vector<ClassInfo>{std::move(part), std::move(people), std::move(team)}, 1);
}

}  // namespace

People::People() : scope_(catalog()) { db_.run(kSchema); }

}  // namespace gantry::data::testing
