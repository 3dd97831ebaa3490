import { relative, sep } from 'node:path';

import { beforeEach, type RunnerTask } from 'vitest';

import { LEFT_OUT } from './left-out.js';

/* Runs before each test that has several nodes: leaves tests out, and refuses titles that their spec does not have. */

const pathOf = (path: string): string => relative(process.cwd(), path).split(sep).join('/');
const titlesOf = (task: RunnerTask): readonly string[] => (task.type === 'suite' ? task.tasks.flatMap(titlesOf) : [task.fullTestName]);

beforeEach(({ task, skip }) => {
  const leftOut = LEFT_OUT[pathOf(task.file.filepath)] ?? [];
  if (leftOut.length === 0) return;
  const titles = titlesOf(task.file);
  const stale = leftOut.filter(({ title }) => !titles.some((other) => other.startsWith(title))).map(({ title }) => title);
  if (stale.length > 0) throw new Error(`test/nodes/left-out.ts names tests that this spec does not have: ${stale.join(', ')}`);
  const exception = leftOut.find(({ title }) => task.fullTestName.startsWith(title));
  if (exception !== undefined) skip(exception.reason);
});
