// One Chromium for all journeys. A page that reports an error, breaks the content security policy or asks another
// origin fails its test.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../../e2e/lib/paths.mjs';

/** Where pictures go. */
export const pictures = process.env.GANTRY_PICTURES ?? join(root, 'build', 'check', 'console');
mkdirSync(pictures, { recursive: true });

let browser;

async function theBrowser() {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return browser;
}

export const closeBrowser = () => browser?.close();

/** Notes what a page does wrong; `expected` are errors that the journey provokes. */
function watch(page, wrong, origin, expected) {
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !expected.some((known) => known.test(text))) wrong.push(text);
  });
  page.on('pageerror', (error) => wrong.push(error.stack));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) wrong.push(`asked ${request.url()}`);
  });
}

/** What a person sees: a page of a server in a context of its own, closed with the test. */
export class Person {
  static async open(t, server, { path = '/', token, expected = [], ...context } = {}) {
    const person = new Person();
    person.origin = server.url.origin;
    person.wrong = [];
    person.expected = expected;
    person.context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 900 }, ...context });
    person.context.setDefaultTimeout(Number(process.env.WAIT ?? 15000));
    t.after(() => person.close());
    person.page = await person.tab(token ? `/#token=${token}` : path);
    if (token && path !== '/') await person.go(path);
    return person;
  }

  /** Another tab of the same browser. */
  async tab(path = '/') {
    const page = await this.context.newPage();
    watch(page, this.wrong, this.origin, this.expected);
    await page.goto(this.origin + path);
    await page.waitForSelector('html[data-ready]');
    return page;
  }

  /** Opens a view of the page: '#/calls'. */
  async go(view) {
    await this.page.evaluate((hash) => new Promise((done) => {
      if (location.hash === hash) return done();
      window.addEventListener('hashchange', done, { once: true });
      location.hash = hash;
    }), view.replace(/^\//, ''));
    await this.settled();
  }

  /** Until nothing more is loaded. */
  async settled() {
    await this.page.waitForFunction(() => {
      const main = document.querySelector('#main');
      return main?.getAttribute('aria-busy') === 'false' && main.querySelector('h1') && !/Loading…/.test(main.textContent);
    });
  }

  role(...what) { return this.page.getByRole(...what); }
  label(...what) { return this.page.getByLabel(...what); }
  text(...what) { return this.page.getByText(...what); }

  async picture(name) {
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  async close() {
    await this.context.close();
    assert.deepEqual(this.wrong, [], 'the page made no error and asked no other origin');
  }
}
