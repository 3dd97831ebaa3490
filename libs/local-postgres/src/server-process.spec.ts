import { describe, expect, it } from 'vitest';
import { parsePidFile } from './server-process.js';

describe('parsePidFile', () => {
  it('reads the process id, the port and the socket folder', () => {
    const text = '4711\n/data/pg\n1700000000\n5432\n/data/run\n\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 5432, socketDirectory: '/data/run' });
  });

  it('reads the file of a server without a socket', () => {
    const text = '4711\n/data/pg\n1700000000\n40001\n\n127.0.0.1\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 40_001, socketDirectory: '' });
  });

  it.each(['', '\n', 'nonsense\n', '0\n'])('is undefined for %j', (text) => {
    expect(parsePidFile(text)).toBeUndefined();
  });

  it('reads the file of a server that has just begun to start', () => {
    expect(parsePidFile('4711\n/data/pg\n')).toEqual({ pid: 4711, port: 0, socketDirectory: '' });
  });
});
