import { expect, it } from 'vitest';
import type { DrawnPointer } from '../platform.js';
import { CapturedPointer } from './captured-pointer.js';

it('a pointer is looked for once at a time, however often a viewer changes its mind', async () => {
  const answers: ((pointer: DrawnPointer | undefined) => void)[] = [];
  const cursor = {
    read: async () => undefined,
    drawn: async () => new Promise<DrawnPointer | undefined>((resolve) => void answers.push(resolve)),
    onChange: () => undefined,
  };
  const capture = {
    mode: 'test',
    onChange: () => undefined,
    show: async () => undefined,
    changes: async () => [],
    grab: async () => Buffer.alloc(0),
  };
  const pointer = new CapturedPointer(capture, cursor, () => undefined);
  for (let time = 0; time < 10; time += 1) {
    pointer.draw(true);
    pointer.draw(false);
  }
  pointer.draw(true);
  expect(answers).toHaveLength(1);
  pointer.stop();
});
