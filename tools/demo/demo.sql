-- The demo database: ISO codes of countries, subdivisions, languages, scripts and currencies.
-- Run by build.sh with the sqlite3 shell from the folder that holds iso-codes' JSON files.
-- Rows go in ordered by key, so the same input gives the same file, byte for byte.

PRAGMA foreign_keys = ON;
PRAGMA page_size = 4096;
PRAGMA journal_mode = DELETE;

BEGIN;

-- countries -------------------------------------------------------------------------------------

CREATE TABLE countries (
  alpha_2       TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_2) = 2),
  alpha_3       TEXT NOT NULL UNIQUE CHECK (length(alpha_3) = 3),
  numeric       TEXT NOT NULL UNIQUE,  -- text: the leading zeros belong to the code
  name          TEXT NOT NULL,
  official_name TEXT,
  common_name   TEXT,
  flag          TEXT NOT NULL
);
CREATE INDEX countries_by_name ON countries (name);

INSERT INTO countries
SELECT value ->> 'alpha_2', value ->> 'alpha_3', value ->> 'numeric', value ->> 'name',
       value ->> 'official_name', value ->> 'common_name', value ->> 'flag'
FROM json_each(readfile('iso_3166-1.json'), '$."3166-1"')
ORDER BY 1;

-- Countries that are no more. The last two letters of alpha_4 name the successor, where there is
-- exactly one; the year is always known, the day often.
CREATE TABLE former_countries (
  alpha_4         TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_4) = 4),
  alpha_2         TEXT NOT NULL,
  alpha_3         TEXT NOT NULL UNIQUE,
  numeric         TEXT,
  name            TEXT NOT NULL,
  withdrawal_year INTEGER NOT NULL,
  withdrawn_on    DATE,
  successor       TEXT REFERENCES countries (alpha_2),
  comment         TEXT
);
CREATE INDEX former_countries_by_successor ON former_countries (successor);

INSERT INTO former_countries
SELECT value ->> 'alpha_4', value ->> 'alpha_2', value ->> 'alpha_3', value ->> 'numeric',
       value ->> 'name',
       CAST(substr(value ->> 'withdrawal_date', 1, 4) AS INTEGER),
       iif(length(value ->> 'withdrawal_date') = 10, value ->> 'withdrawal_date', NULL),
       (SELECT alpha_2 FROM countries WHERE alpha_2 = substr(value ->> 'alpha_4', 3, 2)),
       value ->> 'comment'
FROM json_each(readfile('iso_3166-3.json'), '$."3166-3"')
ORDER BY 1;

-- subdivisions ----------------------------------------------------------------------------------

CREATE TABLE subdivisions (
  code    TEXT PRIMARY KEY NOT NULL,
  country TEXT NOT NULL REFERENCES countries (alpha_2),
  parent  TEXT REFERENCES subdivisions (code) DEFERRABLE INITIALLY DEFERRED,
  name    TEXT NOT NULL,
  type    TEXT NOT NULL
);
CREATE INDEX subdivisions_by_country ON subdivisions (country, name);
CREATE INDEX subdivisions_by_parent ON subdivisions (parent);
CREATE INDEX subdivisions_by_type ON subdivisions (type);

-- A parent is written either in full (GB-SCT) or without its country (01).
INSERT INTO subdivisions
SELECT value ->> 'code', substr(value ->> 'code', 1, 2),
       CASE WHEN value ->> 'parent' LIKE '__-%' THEN value ->> 'parent'
            ELSE substr(value ->> 'code', 1, 2) || '-' || (value ->> 'parent') END,
       value ->> 'name', value ->> 'type'
FROM json_each(readfile('iso_3166-2.json'), '$."3166-2"')
ORDER BY 1;

-- languages -------------------------------------------------------------------------------------

CREATE TABLE language_scopes (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE
) WITHOUT ROWID;
INSERT INTO language_scopes VALUES ('I', 'individual'), ('M', 'macrolanguage'), ('S', 'special');

CREATE TABLE language_types (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE
) WITHOUT ROWID;
INSERT INTO language_types VALUES
  ('A', 'ancient'), ('C', 'constructed'), ('E', 'extinct'), ('H', 'historical'), ('L', 'living'),
  ('S', 'special');

CREATE TABLE languages (
  alpha_3       TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_3) = 3),
  alpha_2       TEXT UNIQUE,
  bibliographic TEXT UNIQUE,  -- the second three-letter code that libraries use
  name          TEXT NOT NULL,
  inverted_name TEXT,
  common_name   TEXT,
  scope         TEXT NOT NULL REFERENCES language_scopes (code),
  type          TEXT NOT NULL REFERENCES language_types (code)
);
CREATE INDEX languages_by_name ON languages (name);
CREATE INDEX languages_by_type ON languages (type, scope);

INSERT INTO languages
SELECT value ->> 'alpha_3', value ->> 'alpha_2', value ->> 'bibliographic', value ->> 'name',
       value ->> 'inverted_name', value ->> 'common_name', value ->> 'scope', value ->> 'type'
FROM json_each(readfile('iso_639-3.json'), '$."639-3"')
ORDER BY 1;

CREATE TABLE language_families (
  alpha_3 TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_3) = 3),
  name    TEXT NOT NULL
);
INSERT INTO language_families
SELECT value ->> 'alpha_3', value ->> 'name'
FROM json_each(readfile('iso_639-5.json'), '$."639-5"')
ORDER BY 1;

-- scripts ---------------------------------------------------------------------------------------

CREATE TABLE scripts (
  alpha_4 TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_4) = 4),
  numeric TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL
);
INSERT INTO scripts
SELECT value ->> 'alpha_4', value ->> 'numeric', value ->> 'name'
FROM json_each(readfile('iso_15924.json'), '$."15924"')
ORDER BY 1;

-- currencies ------------------------------------------------------------------------------------

-- The first two letters of a code are its country's, except for supranational ones (EUR) and those
-- that begin with X.
CREATE TABLE currencies (
  alpha_3 TEXT PRIMARY KEY NOT NULL CHECK (length(alpha_3) = 3),
  numeric TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  country TEXT REFERENCES countries (alpha_2)
);
CREATE INDEX currencies_by_country ON currencies (country);

INSERT INTO currencies
SELECT value ->> 'alpha_3', value ->> 'numeric', value ->> 'name',
       (SELECT alpha_2 FROM countries WHERE alpha_2 = substr(value ->> 'alpha_3', 1, 2))
FROM json_each(readfile('iso_4217.json'), '$."4217"')
ORDER BY 1;

-- overview --------------------------------------------------------------------------------------

CREATE VIEW country_overview AS
SELECT c.alpha_2, c.name, c.flag,
       (SELECT count(*) FROM subdivisions s WHERE s.country = c.alpha_2) AS subdivisions,
       (SELECT count(*) FROM subdivisions s
        WHERE s.country = c.alpha_2 AND s.parent IS NULL) AS top_level_subdivisions,
       (SELECT group_concat(alpha_3, ' ') FROM currencies u
        WHERE u.country = c.alpha_2) AS currencies
FROM countries c;

COMMIT;
ANALYZE;
VACUUM;
