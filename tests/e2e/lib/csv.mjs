// A strict reader of RFC 4180: records end with CRLF, quotes are doubled.
import assert from 'node:assert/strict';

export function parseCsv(text) {
  const records = [];
  let record = [], cell = '', quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if (c === ',') {
      record.push(cell); cell = '';
    } else if (c === '\r' && text[i + 1] === '\n') {
      ++i; record.push(cell); records.push(record); record = []; cell = '';
    } else {
      assert.notEqual(c, '\n', 'a bare line feed outside quotes');
      cell += c;
    }
  }
  assert.equal(cell, '', 'the last record ends with CRLF');
  return records;
}
