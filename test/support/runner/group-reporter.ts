import { relative, sep } from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

interface Group {
  files: number;
  tests: number;
  failed: number;
  seconds: number;
}

const COLUMNS = ['files', 'tests', 'failed', 'seconds'] as const;

/**
 * Reporter that prints how many files and tests each group of tests has, how many failed, and the seconds that its files
 * took, one after the other. A group is a program (`src`, `libs`, `agent`) or a folder of `test`; the sweeps over all routes
 * in `test/api/matrix` are one, too.
 */
export default class GroupReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const groups = new Map<string, Group>();
    for (const module of modules) {
      const group = groupOf(relative(process.cwd(), module.moduleId));
      const name = module.project.config.env.TEST_NODES === 'yes' ? `${group}, three nodes` : group;
      const figures = groups.get(name) ?? { files: 0, tests: 0, failed: 0, seconds: 0 };
      const { duration, collectDuration } = module.diagnostic();
      figures.files += 1;
      for (const test of module.children.allTests()) {
        figures.tests += 1;
        if (test.result().state === 'failed') figures.failed += 1;
      }
      if (module.errors().length > 0) figures.failed += 1;
      figures.seconds += (duration + collectDuration) / 1000;
      groups.set(name, figures);
    }
    if (groups.size > 1) process.stderr.write(`\n${table([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))}\n`);
  }
}

function groupOf(path: string): string {
  const [program = '', room = '', folder] = path.split(sep);
  if (program !== 'test') return program;
  return folder === 'matrix' ? `${room}/${folder}` : room;
}

function table(groups: readonly [string, Group][]): string {
  const width = Math.max(...groups.map(([name]) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}  ${cells.map((cell) => cell.padStart(8)).join('')}`;
  return [
    line('', COLUMNS),
    ...groups.map(([name, group]) =>
      line(
        name,
        COLUMNS.map((column) => group[column].toFixed(0)),
      ),
    ),
  ].join('\n');
}
