// ops/change/tests/recorded_database.hpp: a written database whose writes are recorded and undone.
#pragma once

#include "journal/tests/journal_directory.hpp"
#include "ops/change/tests/written_database.hpp"
#include "ops/change/undo.hpp"
#include "ops/change/written.hpp"

namespace gantry::data {

class RecordedDatabase : public WrittenDatabase {
 protected:
  void make_recorded(const char* sql, const std::vector<std::string>& classes = {}) {
    make_ruled(sql, classes);
    directory_ = path_.string() + ".state";
    std::filesystem::remove_all(directory_);
    keep_journal();
  }
  void keep_journal(std::uint64_t bytes = 1U << 20U) {
    service_->keep_journal(std::make_unique<Journal>(
        Journal::Options{directory_.string(),
                         path_.string(),
                         std::string(32, 'k'),
                         {bytes, std::chrono::hours(1)},
                         [this](const std::string& text) { said_ += text; }}));
  }
  void reopen() {
    service_.reset();
    open({});
    keep_journal();
  }
  void TearDown() override {
    WrittenDatabase::TearDown();
    std::filesystem::remove_all(directory_);
  }

  // As an agent.
  std::string write(const std::string& op, const std::string& args,
                    const std::string& agent = R"({"name":"sales","user":"u17"})") {
    auto reply = service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                               {Budget::for_ms(60'000),
                                4U << 20U,
                                rules_,
                                tier_,
                                WriteTier::readonly,
                                {agent, op + "_object", "c-1"}});
    if (reply) return reply->rows + reply->meta;
    details_ = error_details(reply.error());
    return "ERROR " + reply.error().code + ": " + reply.error().message;
  }
  // As an operator: "" when done.
  std::string undo(const std::string& id) {
    constexpr Change kUndo{"undo", false, gantry::data::undo};
    auto reply = service_->change(kUndo, R"({"id":")" + id + "\"}",
                                  {Budget::for_ms(60'000),
                                   4U << 20U,
                                   nullptr,
                                   WriteTier::readonly,
                                   WriteTier::readonly,
                                   {R"({"name":"ops"})", "writes.undo", ""}});
    if (reply) {
      undone_ = reply->meta;
      return "";
    }
    details_ = error_details(reply.error());
    return reply.error().code + ": " + reply.error().message;
  }
  std::string list(const WritesQuestion& question = {}) {
    auto text = list_writes(*service_, question, Budget::for_ms(60'000));
    return text ? *text : text.error().code + ": " + text.error().message;
  }
  std::string show(const std::string& id) {
    auto text = show_write(*service_, id, Budget::for_ms(60'000));
    return text ? *text : text.error().code + ": " + text.error().message;
  }
  // The id of the newest write.
  std::string last() { return text_in(list(), "id"); }
  std::string undo_last() { return undo(last()); }

  void make_all_pending() { make_pending(journal_file(directory_)); }

  std::filesystem::path directory_;
  std::string said_, undone_;
};

}  // namespace gantry::data
