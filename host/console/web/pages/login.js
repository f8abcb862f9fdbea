// How an operator gets in, and what works without.
import * as mcp from '../lib/mcp.js';
import { button, card, code, copyButton, during, field, form, go, h, icon, link, login, open, sayError } from '../lib/ui.js';

const secretField = (props) => h('input', { type: 'password', autocomplete: 'off', ...props });

/** The form: a link of `gantry open`, or an admin's key. */
function signInForm(done) {
  const secret = secretField({ required: true, 'data-first': true });
  const submit = h('button.primary', 'Sign in');
  return form('stack', async () => {
    const token = /token=([\w.~-]+)/.exec(secret.value)?.[1];
    if (await during(submit, () => login(token ? { token } : { key: secret.value.trim() }))) done();
  }, field('Link or admin’s key', secret), h('.row', submit));
}

/** Asks for a sign-in without leaving the page. */
export const signIn = () => open('Sign in again', (close) => [
  h('p', 'Run ', code('gantry open'), ' on the server’s machine and paste its link, or use an admin’s key.'), signInForm(close)]);

const operators = () => card([icon('login'), 'Operators'], h('.stack', h('p', 'On the machine of the server, run'),
  h('.row', code('gantry open'), copyButton(() => 'gantry open')),
  h('p', 'It opens this page signed in. The link works once, within ten minutes. From elsewhere, paste such a link or use the key of a profile with the tier ', code('admin'), '.'),
  signInForm(() => go('overview'))));

function agents(wanted) {
  const key = secretField();
  const use = async () => {
    mcp.setKey(key.value);
    try {
      await mcp.request('server/discover');
      if (!wanted) go('access');
    } catch (error) {
      mcp.setKey('');
      sayError(error);
    }
  };
  const row = (page, title, what) => h('p', h('a', { href: link(page) }, title), ` – ${what}`);
  return card([icon('agents'), 'Without signing in'], h('.stack', wanted ? null : [h('p', 'This page is then an MCP client like any other:'),
    h('div', row('tools', 'Tools', 'call each tool with a form, read prompts and resources'), row('data', 'Data', 'look into the classes'),
      row('access', 'My access', 'what you may do, and why not'))],
    field(wanted ? 'Key of an agent' : 'Key of an agent (only if the server asks for one)', key, 'It stays in this page’s memory until you close it.'),
    h('.row', button('Use this key', use))));
}

export function show({ root, wanted }) {
  const [title, lead, ...cards] = wanted?.for ? [`${wanted.title} needs a key`, 'The server asks each agent for a key. Type one in, or sign in as an operator.', agents(true), operators()]
    : [wanted ? `${wanted.title} is for operators` : 'Welcome to Gantry', wanted ? 'Sign in to see it.' : 'One server for your data and the agents that use it.', operators(), agents()];
  root.append(h('.login', h('div', h('h1', title), h('p.muted', lead)), cards));
}
