import { describe, expect, it } from '@jest/globals';
import { parsePidFile } from './server-process.js';

describe('parsePidFile', () => {
  it('reads pid, port and socket folder', () => {
    const text = '4711\n/data/pg\n1700000000\n5432\n/data/run\n\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 5432, socketDirectory: '/data/run' });
  });

  it('reads a server without a socket', () => {
    const text = '4711\n/data/pg\n1700000000\n40001\n\n127.0.0.1\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 40_001, socketDirectory: '' });
  });

  it.each(['', '\n', 'nonsense\n', '0\n'])('refuses %j', (text) => {
    expect(parsePidFile(text)).toBeUndefined();
  });

  it('reads what a server that has only begun to start has written', () => {
    expect(parsePidFile('4711\n/data/pg\n')).toEqual({ pid: 4711, port: 0, socketDirectory: '' });
  });
});
