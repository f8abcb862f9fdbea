// The notes example: resources that are added, changed and removed while clients subscribe, a
// prompt over them with completion, and a tool that asks the user before it deletes a note.
#include <map>
#include <mutex>

#include <gantry/events.hpp>
#include <gantry/input.hpp>
#include <gantry/plugin.hpp>

namespace {

struct Note {
  std::string name, text;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Note::name, "What it is called").length(1, 64),
                          gantry::field("text", &Note::text, "What it says"));
  }
};

struct Name {
  std::string name;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Name::name, "Which note").length(1, 64));
  }
};

struct Confirmation {
  bool sure = false;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("sure", &Confirmation::sure, "Remove it for good?"));
  }
};

// A name as part of a URI: all characters but letters and digits are percent-encoded.
std::string uri_of(std::string_view name) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "notes://";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return uri;
}

class Notes : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer
        .tool("write_note", "Writes a note, or writes it anew.",
              [this](const Note& note) { return write(note); })
        .permission("write");
    offer
        .tool("remove_note", "Removes a note after asking whether to.",
              [this](const Name& note, gantry::Call& call) { return remove(note.name, call); })
        .permission("write");
    offer
        .prompt("summarize", "Asks for a summary of a note.",
                [this](const Name& note) { return summarize(note.name); })
        .complete("name", [this](const gantry::Completing& what) { return names(what.value); });
    offer
        .resource_template("notes://{name}", "note", "A note by its name.",
                           [this](const gantry::Reading& what) -> gantry::Result<std::string> {
                             return text_of(what.variable("name"));
                           })
        .mime_type("text/plain")
        .subscribe()
        .lists([this] { return list(); })
        .complete("name", [this](const gantry::Completing& what) { return names(what.value); });
  }

 private:
  gantry::Status write(const Note& note) {
    bool is_new = false;
    {
      const std::lock_guard lock(mutex_);
      is_new = notes_.insert_or_assign(note.name, note.text).second;
    }
    const auto events = gantry::Events::of(host());
    return is_new ? events->list_changed() : events->updated(uri_of(note.name));
  }

  gantry::Result<std::string> remove(const std::string& name, gantry::Call& call) {
    if (const auto text = text_of(name); !text) return text.status();
    const auto input = gantry::Input::of(host());
    const auto answer =
        input->elicit<Confirmation>(call, "sure", "Remove the note '" + name + "'?");
    if (!answer) return answer.status();  // asked; entered again with the client's answer
    if (!answer->accepted() || !answer->value.sure) return "The note '" + name + "' stays.";
    {
      const std::lock_guard lock(mutex_);
      notes_.erase(name);
    }
    if (gantry::Status told = gantry::Events::of(host())->deleted(uri_of(name)); !told) return told;
    return "The note '" + name + "' is removed.";
  }

  gantry::Result<gantry::Messages> summarize(const std::string& name) const {
    const auto text = text_of(name);
    if (!text) return text.status();
    return gantry::Messages()
        .user("Summarize this note in one sentence.")
        .user(gantry::text_resource(uri_of(name), "text/plain", *text));
  }

  gantry::Result<std::string> text_of(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = notes_.find(name);
    if (found != notes_.end()) return found->second;
    return gantry::Status::not_found("There is no note '" + name + "'; the list has all names");
  }

  std::vector<std::string> names(std::string_view beginning) const {
    std::vector<std::string> out;
    const std::lock_guard lock(mutex_);
    for (const auto& [name, text] : notes_) {
      if (name.starts_with(beginning)) out.push_back(name);
    }
    return out;
  }

  std::vector<gantry::Listed> list() const {
    std::vector<gantry::Listed> out;
    for (const std::string& name : names({})) out.push_back({uri_of(name), name});
    return out;
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> notes_;
};

}  // namespace

GANTRY_PLUGIN(Notes)
