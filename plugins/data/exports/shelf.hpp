// exports/shelf.hpp: exports by id, with their owners, limits of number and lifetimes.
//
// If an owner exceeds its limit, its oldest export is dropped. Ids are random, and an id is not a
// credential: only the owner of an export can find it. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/result.hpp>

#include "exports/export_file.hpp"

namespace gantry::data {

struct ExportLimits {
  std::chrono::milliseconds lifetime = std::chrono::minutes(15);
  std::size_t files_an_owner = 8;
  std::uint64_t bytes_an_owner = 2ull << 30;
  std::size_t files = 128;  // limit over all owners
  std::size_t writing = 4;  // limit of exports that one owner writes at a time
  FileBounds file = {};
};

class ExportStore {
 public:
  using Clock = std::chrono::steady_clock;
  struct Export {
    std::string owner, mime_type;
    std::string name;  // suggested file name of a download: "people.csv"
    std::shared_ptr<const ExportFile> file;
    Clock::time_point until;
  };
  // An export that is being written. It counts against its owner's `writing` limit until destroyed.
  class Draft {
   public:
    Draft(ExportStore& export_store, std::string owner)
        : export_store_(&export_store), owner_(std::move(owner)) {}
    Draft(Draft&& other) noexcept
        : file(std::move(other.file)),
          export_store_(std::exchange(other.export_store_, nullptr)),
          owner_(std::move(other.owner_)) {}
    Draft& operator=(Draft&&) = delete;
    ~Draft();
    std::unique_ptr<ExportFile> file;

   private:
    friend class ExportStore;
    ExportStore* export_store_;
    std::string owner_;
  };

  ExportStore(std::string directory, const ExportLimits& bounds)
      : directory_(std::move(directory)), bounds_(bounds) {}

  // GANTRY_BUSY: this owner writes too many already; GANTRY_FAILED: the directory.
  Result<Draft> begin(const std::string& owner);
  // Makes the draft's file readable and returns its id. GANTRY_BUSY: the limit over all owners is
  // reached.
  Result<std::string> keep(Draft draft, std::string mime_type, std::string name);
  // Empty if the export has expired, never existed, or has another owner.
  std::optional<Export> find(const std::string& id, std::string_view owner);
  // Drops expired exports; returns the time when the next one expires.
  Clock::time_point sweep();

  std::chrono::milliseconds lifetime() const { return bounds_.lifetime; }

 private:
  void make_room(const std::string& owner, std::uint64_t bytes);  // mutex_ held
  Clock::time_point drop_old();                                   // mutex_ held

  const std::string directory_;
  const ExportLimits bounds_;
  std::mutex mutex_;
  std::map<std::string, Export, std::less<>> exports_;
  std::map<std::string, std::size_t> writing_;  // by owner
};

}  // namespace gantry::data
