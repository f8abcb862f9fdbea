// Reads the fenced blocks of a Markdown text. See ../README.md for their kinds.

/** Splits a transcript into its commands: {command, line, shown}; `shown` are the lines of output below it. */
function transcript(lines, first) {
  const commands = [];
  lines.forEach((text, index) => {
    if (text.startsWith('$ ')) commands.push({ command: text.slice(2), line: first + index, shown: [] });
    else if (commands.length === 0) throw new Error(`line ${first + index}: a console block begins with "$ "`);
    else if (text.startsWith('> ') && commands.at(-1).shown.length === 0) commands.at(-1).command += `\n${text.slice(2)}`;
    else commands.at(-1).shown.push(text);
  });
  return commands;
}

/** Splits lines to be copied into commands; one that ends in a backslash goes on in the next line. */
function copied(lines, first) {
  const commands = [];
  let open = false;
  lines.forEach((text, index) => {
    if (open) commands.at(-1).command += `\n${text}`;
    else if (text.trim() !== '' && !text.startsWith('#')) commands.push({ command: text, line: first + index });
    open = text.endsWith('\\');
  });
  return commands;
}

function block(info, lines, line) {
  const [kind, second, ...more] = info.split(' ').filter(Boolean);
  const base = { kind, line, text: lines.map((one) => `${one}\n`).join('') };
  if (kind === 'sh' && second === 'not-run') return { ...base, does: 'nothing', withheld: more.join(' ') };
  if (kind === 'sh' && !second) return { ...base, does: 'run', commands: copied(lines, line + 1) };
  if (kind === 'console' && (!second || second === 'serves') && more.length === 0) {
    return { ...base, does: 'run', serves: second === 'serves', commands: transcript(lines, line + 1) };
  }
  if (second && /^[\w./-]+\.\w+$/.test(second) && more.length === 0) return { ...base, does: 'write', file: second };
  throw new Error(`line ${line}: "${info}" is no kind of block; tests/docs/README.md lists them`);
}

/** The blocks of a text in their order. */
export function blocksOf(markdown) {
  const out = [];
  let open;
  markdown.split('\n').forEach((text, index) => {
    if (open && text === '```') {
      out.push(block(open.info, open.lines, open.line));
      open = undefined;
    } else if (open) open.lines.push(text);
    else if (/^\s*(```|~~~)/.test(text)) open = { info: text.slice(3), lines: [], line: index + 1 };
  });
  if (open) throw new Error(`line ${open.line}: the block does not end`);
  return out;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What output must look like: "…" in a line is any text of that line, "…" alone any lines, none included. */
export function pattern(shown) {
  const lines = shown.map((line) => (line.trim() === '…' ? '(?:.*\n)*?'
    : `${line.split('…').map(escaped).join('.*').trimEnd()}[ \t]*\n`));
  return lines.join('');
}
