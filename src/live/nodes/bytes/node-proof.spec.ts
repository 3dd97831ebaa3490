import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import type { Edge } from '../../../platform/http/addresses/edge.js';
import { NodeProof, type Proved } from './node-proof.js';

const FIRST = 'a-first-secret-of-thirty-two-characters';
const SECOND = 'a-second-secret-of-thirty-two-characters';
const NOW = 1_764_000_000_000;
const EDGE: Edge = { address: '203.0.113.9', isSecure: true, host: { header: 'Host', host: 'devices.example.org' }, requestId: 'r' };
const PROVED: Proved = { method: 'GET', url: '/api/v1/devices?x=1', edge: EDGE };

const proofOf = (secrets: readonly string[], now = NOW): NodeProof => new NodeProof(secrets, () => now);

/** The edge that a node with these secrets and this clock believes. */
function believed(
  secrets: readonly string[],
  changes: Partial<Pick<IncomingMessage, 'method' | 'url' | 'headers'>> = {},
  now = NOW,
): Edge | null {
  const headers = { ...proofOf([FIRST]).prove(PROVED), ...changes.headers };
  return proofOf(secrets, now).check({ ...PROVED, ...changes, headers });
}

describe('the proof of a request between nodes', () => {
  it('shows the client as the first node saw it', () => {
    expect(believed([FIRST])).toEqual(EDGE);
  });

  it('is accepted by the second secret, so that it can be replaced', () => {
    expect(believed([SECOND, FIRST])).toEqual(EDGE);
    expect(believed([SECOND])).toBeNull();
  });

  it.each([
    ['another method', { method: 'DELETE' }],
    ['another path', { url: '/api/v1/users?x=1' }],
    ['another query', { url: '/api/v1/devices?x=2' }],
    ['another time', { headers: { 'x-node-time': String(NOW + 1) } }],
    [
      'another client',
      { headers: { 'x-node-edge': Buffer.from(JSON.stringify({ ...EDGE, address: '198.51.100.1' })).toString('base64url') } },
    ],
    ['another proof', { headers: { 'x-node-proof': 'AAAA' } }],
    ['no proof', { headers: { 'x-node-proof': undefined } }],
    ['two proofs', { headers: { 'x-node-proof': ['a', 'b'] } }],
  ])('is not believed for %s', (_name, changes) => {
    expect(believed([FIRST], changes)).toBeNull();
  });

  it.each([
    [-30_000, true],
    [30_000, true],
    [-30_001, false],
    [30_001, false],
  ])('is believed %i ms later: %s', (later, isBelieved) => {
    expect(believed([FIRST], {}, NOW + later) !== null).toBe(isBelieved);
  });
});
