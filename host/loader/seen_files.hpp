// host/loader/seen_files.hpp: what plugins' files say, read again only when they have changed.
//
// Whether one has changed is told by its device, inode, size and times. Control thread.
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
#include "host/plugin/generation.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/look.hpp"
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
  // Why it is no plugin, or empty. Then `origin` has no manifest, but for the name of its file.
  std::string problem;
  Origin origin;             // without settings
  SealedFilePtr file_bytes;  // as read and checked in this look; null when it was read before
  FileStamp stamp;
  bool settled = false;  // any later change makes another stamp
};

class SeenFiles {
 public:
  SeenFiles(LogSink log, std::shared_ptr<const Trust> trust)
      : log_(std::move(log)), trust_(std::move(trust)) {}

  // Which files may be loaded from now on; null: all.
  void set_trust(std::shared_ptr<const Trust> trust) { trust_ = std::move(trust); }

  // How the files of `sources` are now, in their order. Valid until the next look.
  std::vector<SeenFile*> look(const std::vector<PluginSource>& sources);

  // The bytes that `seen` was made from, read again if need be, in a file that was never handed out
  // before. The Status says that the file has changed meanwhile; the next look reads it.
  Result<SealedFilePtr> take_file(SeenFile& seen);

  void drop_bytes();      // of all files
  void forget_content();  // everything is read again at the next look

  std::size_t reads() const { return reads_; }

 private:
  void add(const FoundFile& found, std::vector<SeenFile*>& out,
           std::map<std::filesystem::path, SeenFile>& next);
  void keep_directory(const FoundFile& found, std::vector<SeenFile*>& out,
                      std::map<std::filesystem::path, SeenFile>& next);
  void refresh(SeenFile& seen);
  void examine(SeenFile& seen);
  Result<Look> read(SeenFile& seen);

  LogSink log_;
  std::shared_ptr<const Trust> trust_;
  std::map<std::filesystem::path, SeenFile> files_;
  std::size_t reads_ = 0;
};

}  // namespace gantry::host
