// The journeys of people through the web console, in one browser.
import { after } from 'node:test';
import { closeBrowser } from './lib/browser.mjs';

after(closeBrowser);

const all = ['login', 'agent', 'forms', 'offer', 'data', 'live', 'plugins', 'rules', 'writes', 'hostile', 'ways', 'looks', 'volume', 'restart'];
for (const name of process.env.JOURNEYS?.split(',') ?? all) {
  await import(`./journeys/${name}.mjs`);
}
