import { join } from 'node:path';
import { root } from '../e2e/lib/paths.mjs';
import { followed } from './lib/document.mjs';

followed(join(root, 'host', 'OPERATING.md'), { withheld: ['installs packages', 'needs root'] });
