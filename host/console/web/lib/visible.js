// Text as it may be shown: what is not seen, or turns or moves the text beside it, shows as its code point.

// Emoji keep their selectors and joiners: these alternatives have no group. Of the controls, newline and tab are text.
const emoji = '(?<=\\p{ExtPict})\\uFE0F|(?<=[\\p{ExtPict}\\p{EMod}\\uFE0F])\\u200D(?=\\p{ExtPict})';
const unseen = new RegExp(`${emoji}|([^\\P{Cc}\\n\\t]|[\\p{DI}\\p{Cs}\\u2028\\u2029\\uFFF9-\\uFFFB])`, 'gu');
const plain = /^[\n\t -~]*$/;

const nameOf = (one) => `⟨U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** The text and, by mark(name), what stands for each unseen character, in order. */
export function visibleParts(value, mark) {
  const text = String(value);
  if (plain.test(text)) return [text];
  const parts = [];
  let at = 0;
  for (const { 1: one, index } of text.matchAll(unseen)) {
    if (one === undefined) continue;
    parts.push(text.slice(at, index), mark(nameOf(one)));
    at = index + one.length;
  }
  return [...parts, text.slice(at)];
}

/** The same as one text. */
export const visible = (value) => visibleParts(value, (name) => name).join('');
