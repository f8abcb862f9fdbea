import { join } from 'node:path';
import { root } from '../e2e/lib/paths.mjs';
import { followed } from './lib/document.mjs';

followed(join(root, 'README.md'), {
  links: { tools: join(root, 'tools') },
  withheld: ['builds everything', 'needs root'],
});
