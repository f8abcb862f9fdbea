import { join } from 'node:path';
import { root } from '../e2e/lib/paths.mjs';
import { followed } from './lib/document.mjs';

// The SDK that tests/sdk_package has installed.
followed(join(root, 'sdk', 'README.md'), {
  env: { CMAKE_PREFIX_PATH: process.env.GANTRY_SDK, CMAKE_CXX_COMPILER_LAUNCHER: process.env.LAUNCHER ?? '' },
  withheld: ['needs root'],
});
