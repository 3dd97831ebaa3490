import { describe, expect, it } from 'vitest';

import { localPath, MAXIMUM_RETURN_PATH_LENGTH, pathWithError } from './return-path.js';

describe('localPath', () => {
  it.each([
    ['/', '/'],
    ['/devices?search=a b#top', '/devices?search=a%20b#top'],
    ['/account/../devices', '/devices'],
    ['/devices?back=//evil.example', '/devices?back=//evil.example'],
    ['/@evil.example', '/@evil.example'],
  ])('takes %j', (text, path) => {
    expect(localPath(text)).toBe(path);
  });

  it.each([
    '',
    'devices',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\u0000',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    ' /devices',
    `/${'x'.repeat(MAXIMUM_RETURN_PATH_LENGTH)}`,
  ])('refuses %j', (text) => {
    expect(localPath(text)).toBeNull();
  });
});

describe('pathWithError', () => {
  it('keeps the query and fragment of the path, and replaces an error that it carries', () => {
    expect(pathWithError('/devices?a=1&externalError=x#top', 'Denied', 'corp')).toBe('/devices?a=1&externalError=Denied&provider=corp#top');
  });
});
