#include "host/trust/minisign.hpp"

#include <sodium.h>

#include <array>
#include <optional>
#include <vector>

#include "host/base/text.hpp"

namespace gantry::host::trust {
namespace {

constexpr std::string_view kUntrusted = "untrusted comment: ";
constexpr std::string_view kTrusted = "trusted comment: ";
constexpr std::size_t kIdSize = 8, kPoint = 32, kSignature = 64;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

unsigned char const* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

bool signed_by(const PublicKey& key, std::string_view signature, std::string_view message) {
  return key.point.size() == crypto_sign_PUBLICKEYBYTES && signature.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(data_of(signature), data_of(message), message.size(),
                                     data_of(key.point)) == 0;
}

}  // namespace

std::string id_text(std::string_view id) {
  return to_upper_hex(std::string(id.rbegin(), id.rend()));
}

Result<PublicKey> parse_public_key(std::string_view text) {
  const auto lines = lines_of(text);
  std::string_view line = lines.empty() ? std::string_view() : lines.front();
  if (line.starts_with(kUntrusted) && lines.size() > 1) line = lines[1];
  const std::optional<std::string> bytes = from_base64(line);
  if (!bytes || bytes->size() != 2 + kIdSize + kPoint || !bytes->starts_with("Ed")) {
    return Status::invalid(
        "this is no public key of minisign; it is a line of 56 characters that begins with RW, "
        "alone or after an \"untrusted comment:\" line");
  }
  return PublicKey{bytes->substr(2, kIdSize), bytes->substr(2 + kIdSize)};
}

std::string public_key_line(const PublicKey& key) {
  std::string line;
  append_base64(line, "Ed" + key.id + key.point);
  return line;
}

std::string public_key_file(const PublicKey& key) {
  return std::string(kUntrusted) + "minisign public key " + id_text(key.id) + "\n" +
         public_key_line(key) + "\n";
}

Result<Signature> parse_signature(std::string_view text) {
  const Status broken = Status::invalid(
      "the signature is no minisign file: it needs an untrusted comment, the signature, a trusted "
      "comment and its signature, one a line; sign the file anew");
  const auto lines = lines_of(text);
  if (lines.size() != 4 || !lines[0].starts_with(kUntrusted) || !lines[2].starts_with(kTrusted)) {
    return broken;
  }
  const auto first = from_base64(lines[1]);
  auto global = from_base64(lines[3]);
  if (!first || !global || first->size() != 2 + kIdSize + kSignature ||
      global->size() != kSignature) {
    return broken;
  }
  const std::string algorithm = first->substr(0, 2);
  if (algorithm != "Ed" && algorithm != "ED") return broken;
  Signature signature;
  signature.prehashed = algorithm == "ED";
  signature.id = first->substr(2, kIdSize);
  signature.bytes = first->substr(2 + kIdSize);
  signature.trusted_comment = lines[2].substr(kTrusted.size());
  signature.global = std::move(*global);
  return signature;
}

Status verify(const PublicKey& key, const Signature& signature, std::string_view bytes) {
  if (key.id != signature.id) {
    return Status::denied("the signature is by the key " + id_text(signature.id) +
                          ", which is not the key " + id_text(key.id));
  }
  const std::string hash = signature.prehashed ? prehash(bytes) : std::string();
  if (!signed_by(key, signature.bytes, signature.prehashed ? std::string_view(hash) : bytes)) {
    return Status::denied("the signature by the key " + id_text(key.id) +
                          " does not fit the file: one of the two was changed; sign the file anew");
  }
  if (!signed_by(key, signature.global, signature.bytes + signature.trusted_comment)) {
    return Status::denied("the trusted comment of the signature by the key " + id_text(key.id) +
                          " was changed; sign the file anew");
  }
  return {};
}

std::string prehash(std::string_view bytes) {
  std::array<unsigned char, crypto_generichash_BYTES_MAX> hash{};
  crypto_generichash(hash.data(), hash.size(), data_of(bytes), bytes.size(), nullptr, 0);
  return {hash.begin(), hash.end()};
}

}  // namespace gantry::host::trust
