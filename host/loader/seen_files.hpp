// host/loader/seen_files.hpp: the contents of plugins' files, read again only when a file changed.
//
// A change is detected by device, inode, size and times. Control thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gantry/result.hpp>

#include "host/loader/sources.hpp"
#include "host/plugin/elf_inspection.hpp"
#include "host/plugin/generation.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t written = 0, changed = 0;  // nanoseconds of the wall clock
  bool operator==(const FileStamp&) const = default;
};

struct SeenFile {
  std::filesystem::path file;
  bool builtin = false;
  // The reason why the file cannot be loaded, or empty. With a reason, the manifest of `origin` has
  // only a name, the file's.
  std::string problem;
  Origin origin;             // without settings
  SealedFilePtr file_bytes;  // null when the file was not read in this inspection
  FileStamp stamp;
  bool settled = false;  // any later change of the file changes the stamp
};

class SeenFiles {
 public:
  SeenFiles(LogSink log, std::shared_ptr<const Trust> trust)
      : log_(std::move(log)), trust_(std::move(trust)) {}

  // The rule for files that may be loaded; null: all may.
  void set_trust(std::shared_ptr<const Trust> trust) { trust_ = std::move(trust); }

  // The files of `sources`, in their order. Valid until the next inspection.
  std::vector<SeenFile*> inspect(const std::vector<PluginSource>& sources);

  // The bytes that `seen` was made from, in a memory file that was never returned before. Fails if
  // the file has changed since; the next inspection reads it again.
  Result<SealedFilePtr> take_file(SeenFile& seen);

  void drop_bytes();      // of all files
  void forget_content();  // all files are read again at the next inspection

 private:
  void add(const FoundFile& found, std::vector<SeenFile*>& out,
           std::map<std::filesystem::path, SeenFile>& next);
  void keep_directory(const FoundFile& found, std::vector<SeenFile*>& out,
                      std::map<std::filesystem::path, SeenFile>& next);
  void refresh(SeenFile& seen);
  void examine(SeenFile& seen);
  Result<ElfInspection> read(SeenFile& seen);

  LogSink log_;
  std::shared_ptr<const Trust> trust_;
  std::map<std::filesystem::path, SeenFile> files_;
};

}  // namespace gantry::host
