import { expect, it } from 'vitest';

import { draggedFile } from './dragged-file.js';

it('names the kind, the name and the address of a dragged file', () => {
  expect(draggedFile('report.pdf', 'https://example.org/report')).toBe('application/octet-stream:report.pdf:https://example.org/report');
});

it('has no colon in the name of a dragged file, which would end it', () => {
  expect(draggedFile('at 12:30.log', 'https://example.org/log')).toBe('application/octet-stream:at 12_30.log:https://example.org/log');
});
