import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createLogger } from './service-logger.js';

const written: string[] = [];

beforeEach(() => {
  const note = (chunk: string | Uint8Array): boolean => {
    written.push(chunk.toString());
    return true;
  };
  // The environment of the tests may switch colours off.
  vi.stubEnv('NO_COLOR', '');
  vi.spyOn(process.stdout, 'write').mockImplementation(note);
  vi.spyOn(process.stderr, 'write').mockImplementation(note);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  written.length = 0;
});

describe('the log', () => {
  it('writes one JSON object per line in Json format, whatever is logged', () => {
    const logger = createLogger({ level: 'Information', format: 'Json' }, { isTerminal: true });
    logger.log({ message: 'request', requestId: 'a1', path: '/two\nlines' }, 'Http');
    logger.error('It failed.', 'Error: at one\n  at two', 'Http');
    const lines = written.join('').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'log', context: 'Http', message: { message: 'request', requestId: 'a1', path: '/two\nlines' } }),
      expect.objectContaining({ level: 'error', context: 'Http', message: 'It failed.' }),
    ]);
  });

  it.each([
    [false, false],
    [true, true],
  ])('consists of lines for people by default, coloured on a terminal only: %s', (isTerminal, isColoured) => {
    createLogger({ level: 'Information', format: 'Text' }, { isTerminal }).log('Listening.', 'Service');
    expect(written.join('')).toContain('Listening.');
    expect(written.join('').includes('\u001b[')).toBe(isColoured);
  });

  it('has no colours on a terminal when the environment switches them off', () => {
    process.env['NO_COLOR'] = '1';
    createLogger({ level: 'Information', format: 'Text' }, { isTerminal: true }).log('Listening.', 'Service');
    expect(written.join('')).toContain('Listening.');
    expect(written.join('')).not.toContain('\u001b[');
  });

  it.each(['Text', 'Json'] as const)('writes one line per entry in %s format, also for entries with members', (format) => {
    const logger = createLogger({ level: 'Information', format }, { isTerminal: false });
    logger.log({ message: 'request', requestId: 'a'.repeat(60), method: 'GET', path: `/${'p'.repeat(100)}`, status: 200 }, 'Http');
    expect(written.join('')).toMatch(/^[^\n]*requestId[^\n]*status[^\n]*\n$/);
  });

  it.each([
    ['Trace', 6],
    ['Debug', 5],
    ['Information', 4],
    ['Warning', 3],
    ['Error', 2],
    ['Critical', 1],
    ['None', 0],
  ] as const)('holds from the level %s on %i kinds of line', (level, count) => {
    const logger = createLogger({ level, format: 'Text' }, { isTerminal: false });
    logger.verbose('line');
    logger.debug('line');
    logger.log('line');
    logger.warn('line');
    logger.error('line');
    logger.fatal('line');
    expect(written.filter((text) => text.includes('line'))).toHaveLength(count);
  });

  it('omits the framework’s lines about its start', () => {
    const logger = createLogger({ level: 'Information', format: 'Text' }, { isTerminal: false });
    logger.log('Mapped {/x, GET} route', 'RouterExplorer');
    logger.warn('Mind this', 'RouterExplorer');
    expect(written).toHaveLength(1);
  });
});
