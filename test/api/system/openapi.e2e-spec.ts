import { beforeAll, describe, expect, it } from 'vitest';

import { describeOffline } from '../../../src/describe-offline.js';
import { testServer } from '../../support/setup/test-server.js';

const PATHS = ['/openapi/v1.json', '/openapi/internal.json', '/api-browser', '/api-browser/v1', '/api-browser/internal'];

describe('with the API browser switched on', () => {
  const server = testServer({ Service_AppOptions__EnableApiBrowserUi: 'true' });
  let documents: Awaited<ReturnType<typeof describeOffline>>;

  beforeAll(async () => {
    documents = await describeOffline();
  });

  it.each(['v1', 'internal', 'account', 'events'] as const)('serves the committed description %s to everybody', async (name) => {
    const answer = await server.client({}).get(`/openapi/${name}.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual(documents[name]);
  });

  it.each(['/api-browser', '/api-browser/v1', '/api-browser/internal'])('serves the page %s with its own files only', async (path) => {
    const page = await server.client({}).get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference);
    expect(references.length).toBeGreaterThan(3);
    for (const reference of references) {
      expect(reference).toMatch(/^\/api-browser\/(assets\/|v1$|internal$|inventory$|events$|account$)/);
      const file = await server.client({}).get(reference);
      expect([reference, file.status]).toEqual([reference, 200]);
    }
    // Every script comes from this host, so the usual policy of pages suffices. An inline script would not run.
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'(;|$)/);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('serves no other file of the package', async () => {
    for (const name of ['package.json', 'swagger-ui.js', '..%2fpackage.json', '%2e%2e/package.json']) {
      const answer = await server.client({}).get(`/api-browser/assets/${name}`);
      expect([name, answer.status]).toEqual([name, 404]);
    }
  });
});

describe('with the API browser switched off', () => {
  const server = testServer();

  it.each(PATHS)('answers 404 for %s, whatever the method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await server.client({}).call(method, path);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  });
});
