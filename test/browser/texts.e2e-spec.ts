import type { Page } from 'playwright-core';
import { beforeAll, describe, it, type ExpectStatic } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { addressesIn, NOTHING_PUBLISHED } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * Every page in the pseudo-language: words that stay English were left out of the catalogue, and texts that are a third longer still fit.
 */

const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
];
/** Pages for visitors who are not signed in. */
const FOR_NOBODY = ['/signin', '/forgot', '/register', '/reset', '/confirm-email', '/invite-confirmation/$code'];
/** Names that are the same in every language. */
const PROPER_NAMES = [
  'English',
  'Ŧéšţ',
  'Ctrl',
  'MIT',
  'CPU',
  'root',
  'Linux x64',
  'Linux ARM64',
  'macOS x64',
  'macOS ARM64',
  'Windows x64',
];
/** Days and times, which the browser writes. */
const A_TIME = /^(?:\w+day, )?[A-Z]\w+ \d{1,2}, \d{4}(?:, [\d:]+\s[AP]M)?$/;
const PAGES_MS = 600_000;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the texts of the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, { timeout: PAGES_MS }, () => {
  const app = frontEnd(built);
  let administrator: User;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    administrator = await app.administrator();
    addressOf = await addressesIn(new Scene(app.server, await app.tenantOf(administrator)));
  });

  /** Shows pages that are opened afterwards in the pseudo-language. */
  const translate = (page: Page) => page.addInitScript(`localStorage.setItem('preferences', '{"language":"en-XA"}')`);

  /** Everything that the service answers to a page from now on: its words are data. */
  function answersTo(page: Page): Promise<string>[] {
    const answers: Promise<string>[] = [];
    page.on('response', (answer) => {
      const { 'content-type': type = '' } = answer.headers();
      // One that the page has given up has no text.
      if (type.includes('json')) answers.push(answer.text().catch(() => ''));
    });
    return answers;
  }

  /** Every page has its words from the catalogue, none is cut off, and none needs more width than there is. */
  async function expectWhole(window: Window, patterns: readonly string[], expect: ExpectStatic): Promise<void> {
    const answers = answersTo(window.page);
    for (const pattern of patterns) {
      await window.follow(addressOf(pattern));
      const data = (await Promise.all(answers)).join('\n');
      const isPart = (text: string): boolean => data.includes(JSON.stringify(text).slice(1, -1));
      // The sender of mails is a name and an address.
      const isAnswer = (text: string): boolean => isPart(text) || (/^(.+) <(.+)>$/.exec(text)?.slice(1).every(isPart) ?? false);
      const isData = (text: string): boolean =>
        PROPER_NAMES.includes(text) || A_TIME.test(text) || isAnswer(text) || text.split(': ').every(isAnswer);
      const words = (await window.check.wordsOutsideCatalogue()).filter((text) => !isData(text));
      expect.soft(words, `not in the catalogue at ${pattern}`).toEqual([]);
      expect.soft(await window.check.cutWords(), `cut off at ${pattern}`).toEqual([]);
      expect.soft(await window.check.excessWidth(), `sideways scrolling at ${pattern}`).toBeNull();
    }
  }

  it.concurrent.for(SIZES)(
    'come from the catalogue on every page, and fit when they are longer, at $width pixels',
    async (viewport, test) => {
      const window = await app.open(test, { user: administrator, viewport, allowedRefusals: NOTHING_PUBLISHED });
      await translate(window.page);
      await expectWhole(window, built.pages, test.expect);
    },
  );

  it.concurrent.for(SIZES)('do so on the pages before the sign-in, at $width pixels', async (viewport, test) => {
    const window = await app.open(test, { viewport, allowedRefusals: [/^401 GET /, /^404 /] });
    await translate(window.page);
    await expectWhole(window, FOR_NOBODY, test.expect);
  });
});
