// Judges a run, and prints its results.

const columns = ['passed', 'failed', 'warnings', 'skipped'];

export const totals = (scenarios) => Object.fromEntries(
  columns.map((column) => [column, scenarios.reduce((sum, scenario) => sum + scenario[column], 0)]));

/** Every reason why the run failed; empty: it passed. */
export function problems({ code, announced, scenarios }, expectedScenarios, expectedPassed) {
  const { passed, failed } = totals(scenarios);
  const found = [];
  if (failed > 0) found.push(`${failed} check(s) failed`);
  if (code !== 0) found.push(`the suite ended with ${code}`);
  if (scenarios.length !== announced) found.push(`${announced} scenarios announced, ${scenarios.length} reported`);
  if (announced !== expectedScenarios) found.push(`${expectedScenarios} scenarios expected, ${announced} announced`);
  if (passed !== expectedPassed) found.push(`${expectedPassed} passing checks expected, ${passed} seen`);
  for (const { name, passed: good, failed: bad, skipped } of scenarios) {
    if (good + bad + skipped === 0) found.push(`${name} made no check at all`);
  }
  return found;
}

export function table(scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length), 'scenario'.length);
  const line = (name, cells) => `${name.padEnd(width)} ${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  return [
    line('scenario', columns),
    ...scenarios.map((scenario) => line(scenario.name, columns.map((column) => scenario[column]))),
    line('total', columns.map((column) => totals(scenarios)[column])),
  ].join('\n');
}

/** One line of the table that ends a whole test run. */
export function countsLine(setup, name, scenarios) {
  const { passed, failed, warnings } = totals(scenarios);
  const number = (value) => String(value).padStart(4);
  return `${setup.padEnd(6)}${name.padEnd(20)}${number(scenarios.length)} scenarios,${number(passed)
  } checks passed,${number(failed)} failed,${number(warnings)} warnings\n`;
}
