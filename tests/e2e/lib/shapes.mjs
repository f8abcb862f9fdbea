// What the answers of built-in tools hold, with types and required members: ../shapes/TOOL.json. The
// listed output schemas name members only, since every conversation pays for the list.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

const folder = join(import.meta.dirname, '..', 'shapes');
const ajv = new Ajv2020();
const shapes = new Map(readdirSync(folder).map((file) =>
  [file.replace('.json', ''), ajv.compile(JSON.parse(readFileSync(join(folder, file), 'utf8')))]));

/** Fails when the tool is a built-in one and its answer has another shape. */
export function checkShape(tool, { structuredContent } = {}) {
  const fits = shapes.get(tool);
  if (!fits || structuredContent === undefined) return;
  assert.ok(fits(structuredContent), `${tool}: ${ajv.errorsText(fits.errors)}`);
}

export const shapedTools = [...shapes.keys()];
