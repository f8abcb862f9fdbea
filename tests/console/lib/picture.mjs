// A picture that says what it shows: a text in the PNG file, which a test compares with the page of today.
import assert from 'node:assert/strict';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const kSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const kKeyword = 'Description';

/** The chunks of a PNG file: [{type, data}]. */
function chunks(png) {
  assert.ok(png.subarray(0, 8).equals(kSignature), 'no PNG file');
  const out = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    out.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return out;
}

function encoded({ type, data }) {
  const head = Buffer.alloc(4);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}

/** The picture with a text, which replaces another one. */
export function captioned(png, text) {
  const data = Buffer.concat([Buffer.from(`${kKeyword}\0\0`, 'latin1'), deflateSync(text)]);
  const [header, ...others] = chunks(png).filter(({ type }) => type !== 'zTXt');
  return Buffer.concat([kSignature, ...[header, { type: 'zTXt', data }, ...others].map(encoded)]);
}

/** {width, height, caption} of a picture. */
export function described(png) {
  const all = chunks(png);
  const { data: header } = all[0];
  const text = all.find(({ type }) => type === 'zTXt')?.data;
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4),
    caption: text && inflateSync(text.subarray(kKeyword.length + 2)).toString() };
}
