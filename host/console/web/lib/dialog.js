// Dialogs, commands that ask first, and the line in which the page says what happened.
import { append, button, field, fill, h, problem } from './dom.js';

/** The region that screen readers announce. */
export const announcer = h('.toasts', { role: 'status', 'aria-live': 'polite' });

/** Says one sentence for a few seconds. */
export function say(sentence, kind = '') {
  const toast = h('div', { class: `toast ${kind}` }, sentence);
  announcer.append(toast);
  setTimeout(() => toast.remove(), kind === 'bad' ? 8000 : 4000);
}

export const sayError = (error) => say(error.message ?? String(error), 'bad');

/** Opens a dialog; `build(close)` gives its content. Esc closes. Resolves with what close() was given. */
export function open(title, build, kind = '') {
  return new Promise((resolve) => {
    let result;
    const dialog = h('dialog', { class: kind, 'aria-label': title, onclose: () => {
      dialog.remove();
      resolve(result);
    } });
    append(dialog, h('h2', title), build((value) => {
      result = value;
      dialog.close();
    }));
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector('[data-first]')?.focus();
  });
}

/**
 * Asks before something is done that cannot be taken back. `effect` says what happens; with `typed`, the name must
 * be typed first. The focus is on Cancel. Resolves with true if the person agreed.
 */
export const confirm = ({ title, effect, action, typed }) => open(title, (close) => {
  const agree = button(action, () => close(true), { class: 'danger', disabled: Boolean(typed) });
  const name = typed && h('input', { autocomplete: 'off', spellcheck: false, oninput: () => { agree.disabled = name.value !== typed; } });
  return [h('p', effect), name ? field(`Type ${typed} to confirm`, name) : null,
    h('.dialog-actions', button('Cancel', () => close(false), { 'data-first': true }), agree)];
});

/** Runs a command with its button disabled; its error becomes a sentence. True if it worked. */
export async function during(control, run, done) {
  control.disabled = true;
  try {
    await run();
    if (done) say(done);
    return true;
  } catch (error) {
    sayError(error);
    return false;
  } finally {
    control.disabled = false;
  }
}

/** A button that runs a command: asks first if `ask` are options of confirm(), says `done`, goes on with `then`. */
export function command(label, run, { ask, done, then, ...props } = {}) {
  const control = button(label, async () => {
    if (ask && !await confirm({ action: label, ...ask })) return;
    if (!await during(control, run, done)) return;
    then?.();
    if (!document.activeElement || document.activeElement === document.body) document.querySelector('#main h1')?.focus();
  }, { class: 'small', ...props });
  return control;
}

/** Shows the result of a promise in an element: meanwhile a hint, and an error in its place. */
export async function load(element, promise, show) {
  const waiting = setTimeout(() => fill(element, h('p.muted.pad', 'Loading…')), 150);
  try {
    fill(element, show(await promise));
  } catch (error) {
    fill(element, problem(error));
    if (!document.querySelector('#main h1')) element.prepend(h('h1', document.title.replace(/^\(\d+\) | · Gantry$/g, '')));
  } finally {
    clearTimeout(waiting);
  }
}
