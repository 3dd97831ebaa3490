import { describe, expect, it } from 'vitest';

import { idOfNode } from './nodes-by-name.js';

const NODES = [
  { id: 'killed', address: '10.0.0.1:8091' },
  { id: 'second', address: '10.0.0.2:8091' },
  { id: 'starting', address: null },
  { id: 'started-again', address: '10.0.0.1:8091' },
];

describe('a node that a request names', () => {
  it.each([
    ['killed', 'killed'],
    ['second', 'second'],
    ['starting', 'starting'],
    ['10.0.0.2:8091', 'second'],
    ['10.0.0.1:8091', 'started-again'],
  ])('%s is %s', (name, id) => {
    expect(idOfNode(NODES, name)).toBe(id);
  });

  it.each(['', 'Second', '10.0.0.2', '10.0.0.3:8091', 'null'])('%j is none', (name) => {
    expect(idOfNode(NODES, name)).toBeNull();
  });
});
