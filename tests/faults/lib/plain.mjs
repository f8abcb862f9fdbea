// Programs without sanitizers for tests of memory limits: sanitizers map more than any limit allows.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gantryd, root, scratch } from '../../e2e/lib/paths.mjs';

/**
 * The server under test beside a worker without sanitizers, and the plugins that worker can map:
 * {program, plugin(name)}; or {missing}, the sentence that says what to build. The worker is that of
 * build/release, or of GANTRY_RELEASE=<build>, unless the server itself has no sanitizers.
 */
export function plainWorkers() {
  const bytes = readFileSync(gantryd);
  const isSanitized = bytes.includes('__asan_init') || bytes.includes('__tsan_init');
  const build = isSanitized ? process.env.GANTRY_RELEASE ?? join(root, 'build', 'release') : join(dirname(gantryd), '..');
  const worker = join(build, 'bin', 'gantry-worker'), plugin = (name) => join(build, 'test-plugins', `${name}.so`);
  const absent = [worker, plugin('script')].find((path) => !existsSync(path));
  if (absent) return { missing: `there is no ${absent}: build it with cmake --preset release` };
  const bin = join(scratch(), 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(gantryd, join(bin, 'gantryd'));
  copyFileSync(worker, join(bin, 'gantry-worker'));
  return { program: join(bin, 'gantryd'), plugin };
}
