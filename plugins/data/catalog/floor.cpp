#include "catalog/floor.hpp"

#include <algorithm>
#include <array>

#include "catalog/column_type.hpp"

namespace gantry::data {
namespace {

constexpr std::array<std::string_view, 17> kInternalFields{"_hashed_password",
                                                           "_password_history",
                                                           "_session_token",
                                                           "sessionToken",
                                                           "_email_verify_token",
                                                           "_perishable_token",
                                                           "_failed_login_count",
                                                           "_account_lockout_expires_at",
                                                           "_rperm",
                                                           "_wperm",
                                                           "_tombstone",
                                                           "_auth_data",
                                                           "password",
                                                           "password_hash",
                                                           "hashed_password",
                                                           "encrypted_password",
                                                           "password_digest"};

// Those of kInternalFields that may be ordinary data of some class.
constexpr std::array<std::string_view, 5> kPasswords{"password", "password_hash", "hashed_password",
                                                     "encrypted_password", "password_digest"};

constexpr std::array<std::string_view, 4> kParseTables{"_Session", "_Product", "_JobStatus",
                                                       "_JobSchedule"};

// Compared without ASCII case, as SQLite compares table names.
constexpr std::array<std::string_view, 18> kMigrationTables{
    "schema_migrations",    "ar_internal_metadata",  "flyway_schema_history",
    "alembic_version",      "knex_migrations",       "knex_migrations_lock",
    "django_migrations",    "__EFMigrationsHistory", "__EFMigrationsLock",
    "_prisma_migrations",   "_sqlx_migrations",      "__diesel_schema_migrations",
    "__drizzle_migrations", "databasechangelog",     "databasechangeloglock",
    "goose_db_version",     "SequelizeMeta",         "phinxlog"};

bool begins(std::string_view name, std::string_view prefix) {
  return name.size() >= prefix.size() && same_name(name.substr(0, prefix.size()), prefix);
}

// All internal names begin with one of these letters; rejects most names after one comparison.
bool may_be_internal(std::string_view name) {
  constexpr std::string_view kFirst = "_sSpPhHeE";
  return !name.empty() && kFirst.find(name.front()) != std::string_view::npos;
}

}  // namespace

bool is_internal_field(std::string_view name) {
  if (!may_be_internal(name)) return false;
  return begins(name, "_auth_data_") ||
         std::any_of(kInternalFields.begin(), kInternalFields.end(),
                     [name](std::string_view other) { return same_name(name, other); });
}

bool may_name_internal(std::string_view bytes) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto holds = [&](std::string_view name) {
    return std::search(bytes.begin(), bytes.end(), name.begin(), name.end(),
                       [&](char a, char b) { return lower(a) == lower(b); }) != bytes.end();
  };
  return holds("\\u") || std::any_of(kInternalFields.begin(), kInternalFields.end(), holds);
}

bool may_be_allowed(std::string_view name) {
  return std::any_of(kPasswords.begin(), kPasswords.end(),
                     [name](std::string_view other) { return same_name(name, other); });
}

bool is_store_class(std::string_view name) {
  return begins(name, "sqlite_") || begins(name, "_gantry_");
}

bool is_hidden_class(std::string_view name) {
  const auto same = [name](std::string_view other) { return same_name(name, other); };
  return is_store_class(name) || std::any_of(kParseTables.begin(), kParseTables.end(), same) ||
         std::any_of(kMigrationTables.begin(), kMigrationTables.end(), same);
}

}  // namespace gantry::data
