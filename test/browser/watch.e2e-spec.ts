import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.js';
import { testServer } from '../support/setup/test-server.js';
import { smallFrontEnd } from '../support/stand-ins/small-front-end.js';
import { hasChromium, newContext, startChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { Watch } from './support/watch.js';

/* The watch over pages, on pages that do what no page may. */

const ORIGIN = 'http://service.localhost';

/** A page by the name of its script, and what is noted about it. */
const MISDEEDS: Readonly<Record<string, { readonly script: string; readonly noted: readonly RegExp[] }>> = {
  console: { script: `console.error('Something went wrong.');`, noted: [/^console: Something went wrong\.$/] },
  exception: { script: `throw new Error('Nobody caught this.');`, noted: [/^exception: Error: Nobody caught this\./] },
  rejection: {
    script: `Promise.reject(new Error('Nobody caught this either.'));`,
    noted: [/^exception: Error: Nobody caught this either\./],
  },
  style: {
    script: `document.head.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }));`,
    noted: [/^console: Against the policy: style-src-elem inline /],
  },
  html: { script: `document.body.innerHTML = '<p></p>';`, noted: [/^console: Against the policy: require-trusted-types-for /] },
  picture: {
    script: `document.body.append(Object.assign(new Image(), { src: 'http://elsewhere.example/picture.png' }));`,
    noted: [/^console: Against the policy: img-src http:\/\/elsewhere\.example\/picture\.png /],
  },
  refusal: { script: `fetch('/api/v1/nothing?secret').then((answer) => answer.text());`, noted: [/^refused: 404 GET \/api\/v1\/nothing$/] },
  elsewhere: { script: `location.assign('http://elsewhere.example/');`, noted: [/^off the origin: http:\/\/elsewhere\.example\/$/] },
};

const pages = Object.entries(MISDEEDS).map(([name, { script }]) => [`assets/${name}.js`, script] as const);
/** Runs the script that the address names. */
const loader = `import('/assets' + location.pathname + '.js');`;
const server = testServer({
  Service_WebPath: smallFrontEnd({
    ...Object.fromEntries(pages),
    'index.html': '<!doctype html><html lang="en"><title>A page</title><body><script src="/assets/loader.js"></script></body></html>',
    'assets/loader.js': loader,
    'routes.json': JSON.stringify(['/$name']),
  }),
});
let browser: Browser;

const suite = hasChromium ? describe : describe.skip;

suite(`the watch over pages${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  beforeAll(async () => (browser = await startChromium(server.url)));
  afterAll(() => browser?.close());

  it.each(Object.entries(MISDEEDS))('notes: %s', async (name, { noted }) => {
    const context = await newContext(browser);
    const watch = await Watch.over(context, [ORIGIN], []);
    const page = await context.newPage();
    await page.goto(`${ORIGIN}/${name}`);
    const misses = (): RegExp[] => noted.filter((pattern) => !watch.offences.some((offence) => pattern.test(offence)));
    await eventually(`the page ${name} is noted`, () => misses().length === 0);
    await context.close();
  });

  it('notes nothing about a refusal that belongs to the test', async () => {
    const context = await newContext(browser);
    const watch = await Watch.over(context, [ORIGIN], ['404 GET /api/v1/nothing']);
    const page = await context.newPage();
    const answered = page.waitForResponse('**/api/v1/nothing?secret');
    await page.goto(`${ORIGIN}/refusal`);
    await answered;
    await eventually('the page is idle', () => watch.isIdle);
    await context.close();
    expect(watch.offences).toEqual([]);
  });
});
