import { describe, expect, it } from 'vitest';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

import { isDatabaseOutage } from './database-outage.js';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error('failed'), { code, ...more });
const failedQuery = (code: string): Error => new QueryFailedError('select 1', [], coded(code));

describe('isDatabaseOutage', () => {
  it.each([
    ['a server that is not there', coded('ECONNREFUSED', { syscall: 'connect' })],
    ['a host without an address', coded('ENOTFOUND', { syscall: 'getaddrinfo' })],
    ['a server that shuts down', failedQuery('57P01')],
    ['a server that starts', coded('57P03')],
    ['a transaction that stood still', coded('25P03')],
    ['a full disk', failedQuery('53100')],
    ['too many connections', coded('53300')],
    ['a password that was changed', coded('28P01')],
    ['a database that was dropped', coded('3D000')],
    ['a connection that broke during a query', failedQuery('ECONNRESET')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a server that accepts a connection and is silent', new Error('Query read timeout')],
    ['a connection that broke between two statements of a transaction', new QueryRunnerAlreadyReleasedError()],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ])('is true for %s', (_, error) => {
    expect(isDatabaseOutage(error)).toBe(true);
  });

  it.each([
    ['a duplicate', failedQuery('23505')],
    ['a statement that took too long', failedQuery('57014')],
    ['a wrong statement', failedQuery('42601')],
    ['a file that is not there', coded('ENOENT', { syscall: 'open' })],
    ['another connection that was reset', coded('ECONNRESET', { syscall: 'read' })],
    ['something else', new Error('Connection to the device was lost')],
    ['no error', null],
  ])('is false for %s', (_, error) => {
    expect(isDatabaseOutage(error)).toBe(false);
  });
});
