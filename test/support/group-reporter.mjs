import { relative, sep } from 'node:path';
import process from 'node:process';

const COLUMNS = ['files', 'tests', 'failed', 'seconds'];

/**
 * Jest reporter: prints how many files and tests each group of tests has, how many failed, and the seconds that its files
 * took, one after the other. A group is a program (`src`, `libs`, `agent`) or a folder of `test`; the sweeps over all routes
 * in `test/api/matrix` are one, too.
 */
export default class GroupReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const groups = new Map();
    for (const { testFilePath, numPassingTests, numFailingTests, testExecError, perfStats } of testResults) {
      const name = groupOf(relative(this.rootDir, testFilePath));
      const group = groups.get(name) ?? { files: 0, tests: 0, failed: 0, seconds: 0 };
      group.files += 1;
      group.tests += numPassingTests + numFailingTests;
      group.failed += numFailingTests + (testExecError === undefined ? 0 : 1);
      group.seconds += perfStats.runtime / 1000;
      groups.set(name, group);
    }
    if (groups.size > 1) process.stderr.write(`\n${table([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))}\n`);
  }
}

function groupOf(path) {
  const [program, room, folder] = path.split(sep);
  if (program !== 'test') return program;
  return folder === 'matrix' ? `${room}/${folder}` : room;
}

function table(groups) {
  const width = Math.max(...groups.map(([name]) => name.length));
  const line = (name, cells) => `${name.padEnd(width)}  ${cells.map((cell) => cell.padStart(8)).join('')}`;
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
