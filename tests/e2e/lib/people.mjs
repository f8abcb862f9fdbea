// A database of people and teams, large enough to page through, and the same rows as objects.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from './paths.mjs';

const teams = ['Red', 'green', 'Blue', 'Älta', 'a_b%c'].map((name, i) => ({ id: i + 1, name, boss: i === 4 ? null : i * 7 }));
const names = ['Ada', 'ada', 'Zoë', 'Émile', "O'Neil", 'Li\nNa', '', 'bob', 'Bob', 'a.b', null];

/** 2,500 people; every kind of hole that a column can have. */
const people = Array.from({ length: 2500 }, (_, id) => ({
  id,
  name: names[id % names.length],
  age: id % 13 === 0 ? null : id % 90,
  score: id % 17 === 0 ? null : (id % 100) / 8,
  team: id % 5 === 4 ? null : (id % 5) + 1,
  joined: id % 11 === 0 ? null : new Date(Date.UTC(2020, 0, 1 + (id % 1000), id % 24)).toISOString(),
  tags: id % 7 === 0 ? null : ['a', 'b', 'c', 'd'].slice(0, id % 5),
  profile: id % 3 === 0 ? null : { city: ['Bern', 'Oslo', null][id % 3], n: id % 10, deep: { list: [{ k: id % 4 }, { k: 9 }] } },
}));

export { people, teams };

export function peopleDatabase() {
  const file = join(scratch(), 'people.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES people(id));
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, score REAL,
      team INTEGER REFERENCES teams(id), joined DATETIME, tags JSON, profile JSON);
    CREATE INDEX people_by_age ON people (age);
    CREATE INDEX people_by_team ON people (team, name);
    PRAGMA foreign_keys = OFF; BEGIN`);
  const text = (value) => (value === null ? null : JSON.stringify(value));
  const team = db.prepare('INSERT INTO teams VALUES (?, ?, ?)');
  for (const t of teams) team.run(t.id, t.name, t.boss);
  const person = db.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const p of people) {
    person.run(p.id, p.name, p.age, p.score, p.team, p.joined, text(p.tags), text(p.profile));
  }
  db.exec('COMMIT');
  db.close();
  return file;
}
