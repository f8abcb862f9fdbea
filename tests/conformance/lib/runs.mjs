// The runs: the suite's flags, and the number of scenarios and checks in the pinned version. The
// numbers make a run fail when the suite silently stops making a check.

/** name: [flags, scenarios, checks that pass] */
export const runs = {
  'required-2026-07-28': [['--requirements', '2026-07-28'], 50, 196],
  'required-2025-11-25': [['--requirements', '2025-11-25'], 33, 83],
  'all-2026-07-28': [['--suite', 'all', '--spec-version', '2026-07-28'], 40, 152],
  'all-2025-11-25': [['--suite', 'all', '--spec-version', '2025-11-25'], 33, 83],
  'all-2025-06-18': [['--suite', 'all', '--spec-version', '2025-06-18'], 27, 56],
  'all-2025-03-26': [['--suite', 'all', '--spec-version', '2025-03-26'], 1, 3],
  // Without a version every scenario is scored, those of the tasks extension too.
  'all-extensions': [['--suite', 'all'], 65, 233],
};

// Every scenario of the last two versions is one of the required runs too, with the same checks: only
// `bare` shows that.
const required = ['required-2026-07-28', 'required-2025-11-25'];
const once = [...required, 'all-2025-06-18', 'all-2025-03-26', 'all-extensions'];

/** Servers that get only these runs, unless the command line names one. */
export const runsOf = { worker: once, demo: once, walled: required, keyed: required };
