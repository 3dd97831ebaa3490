import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { Scheme, selectScheme } from './scheme-selection.js';

/** A request with only its line and headers. */
function request(url: string, headers: Record<string, string> = {}): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.url = url;
  Object.assign(message.headers, headers);
  return message;
}

const BEARER = { authorization: 'Bearer abc' };
const PERSONAL = { 'x-personal-token': 'x' };
const API_KEY = { 'x-api-key': 'x' };
const COOKIE = { cookie: 'a=b' };
const ALL = { ...BEARER, ...PERSONAL, ...API_KEY, ...COOKIE };
const OPEN = '/device-access?logonToken=x&deviceId=y';

describe('the scheme of a request', () => {
  it.each([
    [OPEN, ALL, true, Scheme.LogonToken],
    [OPEN, {}, false, Scheme.LogonToken],
    ['/device-access?deviceId=y&LOGONTOKEN=', {}, false, Scheme.LogonToken],
    ['/device-access?deviceId=y', ALL, true, Scheme.Bearer],
    ['/device-access', {}, false, Scheme.Session],
    ['/api/v1/tags?logonToken=x', {}, false, Scheme.Session],
    ['/api/v1/tags?logonToken=x', API_KEY, false, Scheme.ApiKey],
    ['/api/device-access?logonToken=x', PERSONAL, false, Scheme.PersonalAccessToken],
    ['/api/v1/tags?path=/device-access?logonToken=x', {}, false, Scheme.Session],
    ['/api/v1/tags', ALL, true, Scheme.Bearer],
    ['/api/v1/tags', { ...ALL, authorization: 'bearer abc' }, true, Scheme.Bearer],
    ['/api/v1/tags', { ...ALL, authorization: 'Basic abc' }, true, Scheme.PersonalAccessToken],
    ['/api/v1/tags', ALL, false, Scheme.PersonalAccessToken],
    ['/api/v1/tags', { ...API_KEY, ...PERSONAL }, true, Scheme.PersonalAccessToken],
    ['/api/v1/tags', { ...API_KEY, ...COOKIE }, true, Scheme.ApiKey],
    ['/api/v1/tags', { ...API_KEY, 'x-personal-token': '' }, false, Scheme.PersonalAccessToken],
    ['/api/v1/tags', { 'x-api-key': '', ...COOKIE }, false, Scheme.ApiKey],
    ['/api/v1/tags', BEARER, false, Scheme.Session],
    ['/api/v1/tags', COOKIE, true, Scheme.Session],
    ['/api/v1/tags', {}, true, Scheme.Session],
  ])('%s with %j, bearer tokens on: %s', (url, headers, isBearerEnabled, scheme) => {
    expect(selectScheme(request(url, headers), { isBearerEnabled })).toBe(scheme);
  });
});
