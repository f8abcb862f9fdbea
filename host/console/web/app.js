// The frame of the console: navigation, banners, and the page that the address names.
import { help, listen, setPages } from './lib/keys.js';
import { locked } from './lib/mcp.js';
import { announcer, button, empty, ended, fill, h, here, icon, iconButton, inUtc, link, login, logout, lost, on, problem, recall, remember, rpc, say, sayError,
  session, signal, span, switchUtc } from './lib/ui.js';

// `of`: the page under which it stands in the navigation. Agents see what is for all or for agents, operators all else too.
const pages = [
  { group: 'Watch', id: 'overview', title: 'Overview', key: 'o' },
  { group: 'Watch', id: 'calls', title: 'Calls', key: 'c' },
  { group: 'Watch', id: 'audit', title: 'Audit', key: 'u' },
  { group: 'Watch', id: 'writes', title: 'Writes', key: 'w' },
  { group: 'Watch', id: 'streams', title: 'Streams', key: 's' },
  { group: 'Use', id: 'tools', title: 'Tools', key: 't', for: 'all' },
  { of: 'tools', id: 'prompts', title: 'Prompts', for: 'all' },
  { of: 'tools', id: 'resources', title: 'Resources', for: 'all' },
  { group: 'Use', id: 'data', title: 'Data', key: 'd', for: 'all' },
  { group: 'Use', id: 'access', title: 'My access', key: 'm', for: 'agents' },
  { group: 'Rules', id: 'agents', title: 'Agents', key: 'a' },
  { group: 'Rules', id: 'approvals', title: 'Approvals', key: 'p' },
  { group: 'Rules', id: 'keys', title: 'Keys', key: 'k' },
  { group: 'Server', id: 'plugins', title: 'Plugins', key: 'l' },
  { group: 'Server', id: 'settings', title: 'Settings', key: 'e' },
];

const counts = { approvals: signal(0), plugins: signal(0) };
const main = h('main', { id: 'main', tabIndex: -1 });
const banners = h('div', { role: 'alert' });
const side = h('aside.side');
const server = h('.muted');
let leaving = [];
let shown = 0;

const pageOf = (id) => pages.find((page) => page.id === id);
const home = () => (session.get() ? 'overview' : 'login');

function navigation() {
  const current = here().page || home();
  const visible = pages.filter((page) => !page.of && page.for !== (session.get() ? 'agents' : 'operators'));
  setPages(visible.map((page) => ({ ...page, href: link(page.id) })));
  return h('nav', { 'aria-label': 'Pages' }, [...new Set(visible.map(({ group }) => group))].map((group) => [h('h3', group),
    visible.filter((page) => page.group === group).map(({ id, title }) => h('a', { href: link(id),
      'aria-current': id === (pageOf(current)?.of ?? current) ? 'page' : null }, icon(id), title, countOf(id)))]));
}

function countOf(id) {
  const count = counts[id]?.get();
  const what = id === 'approvals' ? `${count} wait` : `${count} do not serve`;
  return count ? h('span.count', { 'aria-label': what, title: what }, count) : null;
}

function switchTheme() {
  const next = { system: 'light', light: 'dark', dark: 'system' }[recall('theme', 'system')];
  remember('theme', next);
  applyTheme();
  say(`Colours: ${next === 'system' ? 'as the system' : next}.`);
}

function applyTheme() {
  document.documentElement.dataset.theme = recall('theme', 'system');
}

function footTools() {
  const zoneName = () => (inUtc() ? 'UTC' : 'Local');
  const zone = button(zoneName(), () => {
    switchUtc();
    fill(zone, zoneName());
  }, { class: 'small quiet', title: 'Times in UTC or in the time of this browser' });
  return h('.side-tools', iconButton('theme', 'Colours: system, light or dark', switchTheme), iconButton('help', 'Keyboard', help), zone,
    session.get() ? iconButton('logout', 'Sign out', () => logout().catch(sayError)) : h('a.button', { href: link('login') }, 'Sign in'));
}

function openMenu(open) {
  side.classList.toggle('open', open);
  side.querySelector('.menu').setAttribute('aria-expanded', String(open));
}

function drawSide() {
  const menu = iconButton('menu', 'Menu', () => openMenu(!side.classList.contains('open')),
    { class: 'icon-button menu', 'aria-expanded': String(side.classList.contains('open')) });
  fill(side, h('.top', h('a.brand', { href: '#/' }, icon('gantry'), 'Gantry'), menu), h('.rest', navigation(), h('.side-foot', server, footTools())));
  const waiting = counts.approvals.get();
  document.title = [waiting ? `(${waiting})` : '', [pageOf(here().page)?.title, 'Gantry'].filter(Boolean).join(' · ')].join(' ').trim();
}

function drawBanners() {
  fill(banners, lost.get() ? h('.banner.bad', icon('alert'), 'The server does not answer. The page tries again every second; what you typed stays.') : null,
    ended.get() ? h('.banner', icon('alert'), 'Your session ended. What you typed stays.',
      button('Sign in again', async () => (await import('./pages/login.js')).signIn())) : null);
}

/** Shows the page of the address; a page that is left ends what it follows. */
async function route() {
  const mine = ++shown;
  main.setAttribute('aria-busy', 'true');
  leaving.splice(0).forEach((run) => run());
  side.classList.remove('open');
  drawSide();
  const view = here();
  const page = pageOf(view.page || home());
  const name = page && (session.get() || page.for && !locked.get()) ? page.id : 'login';
  const root = h('.stack');
  if (!page && !['login', ''].includes(view.page)) {
    main.setAttribute('aria-busy', 'false');
    return void fill(main, h('h1', 'No such page'), empty(`There is no page ${view.page}.`, h('a', { href: '#/' }, 'Go to the first page')));
  }
  try {
    const module = await import(`./pages/${name}.js`);
    if (mine !== shown) return;
    fill(main, root);
    await module.show({ ...view, root, wanted: page, leave: (run) => (mine === shown ? leaving.push(run) : run()) });
  } catch (error) {
    if (mine === shown) fill(main, h('.stack', h('h1', page?.title ?? 'Gantry'), problem(error)));
  }
  if (mine === shown) main.setAttribute('aria-busy', 'false');
  window.scrollTo(0, 0);
}

/** What stands below the navigation, while there is a session. */
async function describeServer() {
  if (!session.get()) return void fill(server, 'Not signed in: you see what an agent sees.');
  const { version, uptime_s: up } = await rpc('host.overview').catch(() => ({}));
  fill(server, version ? `Gantry ${version}, up ${span(up * 1000)}` : '');
}

/** A link of `gantry open` carries its token in the fragment; it leaves the address at once. */
async function takeToken() {
  const token = /^#token=([\w.~-]+)$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, '', '/');
  await login({ token }).catch(sayError);
}

applyTheme();
listen();
fill(document.getElementById('app'), banners, h('.frame', side, main), announcer);
await takeToken();
on('approvals', ({ approvals }) => counts.approvals.set(approvals.length));
on('plugins', ({ plugins }) => counts.plugins.set(plugins
  .filter(({ state, last_failure: failure }) => state !== 'serving' && state !== 'disabled' || failure).length));
Object.values(counts).forEach((count) => count.each(drawSide));
let first = true;
session.each(() => first || [describeServer, route].forEach((run) => run()));
[lost, ended].forEach((state) => state.each(drawBanners));
locked.each(() => first || session.get() || route());
first = false;
lost.each((gone) => gone || describeServer());
window.addEventListener('hashchange', route);
side.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !side.classList.contains('open')) return;
  openMenu(false);
  side.querySelector('.menu').focus();
});
await route();
document.documentElement.dataset.ready = 'true';
