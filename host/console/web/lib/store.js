// What this browser remembers: choices about the view, never data and never a secret. And values with listeners.

const prefix = 'gantry.';

export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden; the view works without.
  }
}

/** Runs `run` when another tab changes the value. */
export const watch = (name, run) =>
  window.addEventListener('storage', ({ key }) => key === prefix + name && run(recall(name)));

/** A value with listeners. */
export function signal(value) {
  const listeners = new Set();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      listeners.forEach((run) => run(next));
    },
    /** Runs now and at each change. */
    each(run) {
      listeners.add(run);
      run(value);
    },
  };
}
