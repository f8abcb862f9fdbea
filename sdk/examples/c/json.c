#include "json.h"

#include <stdlib.h>
#include <string.h>

static size_t skip_string(gantry_bytes text, size_t at) {
  for (++at; at < text.size && text.data[at] != '"'; ++at) {
    if (text.data[at] == '\\') ++at;
  }
  return at + 1;
}

/* The position after the value that begins at `at`. */
static size_t skip_value(gantry_bytes text, size_t at) {
  int depth = 0;
  while (at < text.size) {
    char c = text.data[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && strchr(", \t\r\n", c) != NULL) return at;
    ++at;
  }
  return text.size;
}

static size_t skip_separators(gantry_bytes text, size_t at) {
  while (at < text.size && strchr(" \t\r\n,:{", text.data[at]) != NULL) ++at;
  return at;
}

gantry_bytes json_member(gantry_bytes object, const char* name) {
  gantry_bytes none = {NULL, 0};
  size_t length = strlen(name);
  size_t at = skip_separators(object, 0);
  while (at < object.size && object.data[at] == '"') {
    size_t key = at + 1;
    size_t key_end = skip_string(object, at);
    size_t value = key_end;
    while (value < object.size && strchr(" \t\r\n:", object.data[value]) != NULL) ++value;
    size_t end = skip_value(object, value);
    if (key_end - 1 - key == length && memcmp(object.data + key, name, length) == 0) {
      gantry_bytes found = {object.data + value, end - value};
      return found;
    }
    at = end;
    while (at < object.size && strchr(" \t\r\n,", object.data[at]) != NULL) ++at;
  }
  return none;
}

static unsigned long hex4(const char* digits) {
  char text[5] = {0};
  memcpy(text, digits, 4);
  return strtoul(text, NULL, 16);
}

static size_t put_utf8(unsigned long code, char* out) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800)
    return out[0] = (char)(0xc0 | (code >> 6)), out[1] = (char)(0x80 | (code & 63)), 2;
  if (code < 0x10000) {
    out[0] = (char)(0xe0 | (code >> 12));
    out[1] = (char)(0x80 | ((code >> 6) & 63));
    out[2] = (char)(0x80 | (code & 63));
    return 3;
  }
  out[0] = (char)(0xf0 | (code >> 18));
  out[1] = (char)(0x80 | ((code >> 12) & 63));
  out[2] = (char)(0x80 | ((code >> 6) & 63));
  out[3] = (char)(0x80 | (code & 63));
  return 4;
}

size_t json_unescape(gantry_bytes value, char* out) {
  static const char kFrom[] = "bfnrt", kTo[] = "\b\f\n\r\t";
  size_t written = 0;
  for (size_t at = 1; at + 1 < value.size; ++at) {
    char c = value.data[at];
    if (c != '\\') {
      out[written++] = c;
      continue;
    }
    c = value.data[++at];
    if (c == 'u') {
      unsigned long code = hex4(value.data + at + 1);
      at += 4;
      if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(value.data + at + 3) - 0xdc00);
        at += 6;
      }
      written += put_utf8(code, out + written);
      continue;
    }
    const char* known = strchr(kFrom, c);
    out[written++] = known != NULL ? kTo[known - kFrom] : c;
  }
  return written;
}
