import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { messageProblem, type MailContent } from '../mail-message.js';
import {
  EXAMPLE_BACKUPS_LINK,
  EXAMPLE_LETTERHEAD,
  EXAMPLE_LINK,
  EXAMPLE_SECURITY_LINK,
  EXAMPLE_WEBHOOK_LINK,
  exampleMails,
  USUAL_NAMES,
  type ChosenNames,
} from '../preview/example-mails.js';
import { previewPage } from '../preview/preview-page.js';
import { confirmEmail } from './confirm-email.js';
import { invitation } from './invitation.js';
import { recoveryCodeUsed } from './recovery-code-used.js';

const LINE_LENGTH = 78;
const MARK = 'chosen by somebody';

/** The name for every place in which people choose one. */
function everywhere(name: string): ChosenNames {
  const places = Object.keys(USUAL_NAMES).map((place) => [place, name]);
  return Object.fromEntries(places) as ChosenNames;
}

const HOSTILE = {
  'an element': `<img src=//evil.example/a onerror=alert(1)>${MARK}`,
  'an attribute': `" style="display:none" title='${MARK}`,
  'the end of a comment': `--><![endif]--><b>${MARK}`,
  'the end of the style sheet': `</style></title></body><h1>${MARK}`,
  'a link': `https://evil.example/${MARK}`,
  'header lines': `${MARK}\r\nBcc: eve@example.org\r\n\r\nText`,
  'text that turns round': `\u202E${MARK}\u0000\u2028`,
  'a long text': `${MARK} ${'x'.repeat(5_000)}`,
  'a long text of short words': `${MARK} ${'x '.repeat(5_000)}`,
  'astral characters': `${MARK} ${'🙂'.repeat(500)}`,
  'broken characters': `${MARK} \uD83D`,
} as const;

const ALL_NAMES = {
  ...Object.fromEntries(Object.entries(HOSTILE).map(([what, name]) => [what, everywhere(name)])),
  'usual names': USUAL_NAMES,
};

const CASES = Object.entries(ALL_NAMES).flatMap(([what, names]) =>
  Object.entries(exampleMails(names)).map(([file, mail]) => ({ what, file, mail })),
);

/** The links of each mail. */
const LINK_OF: Readonly<Record<string, string | null>> = {
  'account-deleted': null,
  'already-registered': EXAMPLE_SECURITY_LINK,
  'backup-failed': EXAMPLE_BACKUPS_LINK,
  'confirm-email': EXAMPLE_LINK,
  'confirm-new-email': EXAMPLE_LINK,
  'email-changed': null,
  invitation: EXAMPLE_LINK,
  'passkey-added': EXAMPLE_SECURITY_LINK,
  'password-changed': EXAMPLE_SECURITY_LINK,
  'recovery-code-used': EXAMPLE_SECURITY_LINK,
  'reset-password': EXAMPLE_LINK,
  'sign-in-locked': EXAMPLE_SECURITY_LINK,
  'test-message': null,
  'two-factor-switched-off': EXAMPLE_SECURITY_LINK,
  'webhook-paused': EXAMPLE_WEBHOOK_LINK,
};

const ADDRESS = `${EXAMPLE_LETTERHEAD.serviceAddress}/`;

/** The names of the elements of a page, in their order. */
function elementsOf({ html }: MailContent): string[] {
  return [...html.matchAll(/<(!--|\/?[a-z][a-z0-9]*)/gi)].map(([, name]) => name);
}

/** The values of an attribute, as a reader of HTML understands them. */
function valuesOf({ html }: MailContent, attribute: string): string[] {
  return [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => value.replaceAll('&amp;', '&'));
}

it('there is an example of every mail', async () => {
  const files = await readdir(fileURLToPath(new URL('.', import.meta.url)));
  const templates = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).map((file) => file.slice(0, -3));
  expect(Object.keys(exampleMails(USUAL_NAMES)).sort()).toEqual(templates.sort());
  expect(Object.keys(LINK_OF).sort()).toEqual(templates.sort());
});

describe.each(CASES)('$file with $what', ({ file, mail }) => {
  it('can be sent', () => {
    expect(messageProblem({ to: 'ann@example.org', ...mail })).toBeNull();
    expect(mail.subject.isWellFormed() && mail.text.isWellFormed() && mail.html.isWellFormed()).toBe(true);
  });

  it('has the same elements as with usual names', () => {
    expect(elementsOf(mail)).toEqual(elementsOf(exampleMails(USUAL_NAMES)[file]));
    expect(mail.html.match(/ on[a-z]+="/i)).toBeNull();
  });

  it('has its link in both parts, and no other one', () => {
    const link = LINK_OF[file];
    const links = link === null ? [] : [link, link];
    expect(valuesOf(mail, 'href')).toEqual([...links, ADDRESS]);
    const addresses = mail.text.split('\n').filter((line) => line.includes('://'));
    expect(addresses).toEqual([...(link === null ? [] : [link]), ADDRESS]);
    // The second time, the address is there to be read.
    if (link !== null) expect(mail.html).toContain(`>${link.replaceAll('&', '&amp;')}</a>`);
  });

  it('loads nothing', () => {
    const tags = mail.html.match(/<[^>]*>/g) ?? [];
    expect(
      tags.filter((tag) =>
        /^<(img|link|script|iframe|object|embed|form|video|audio|svg)\b|\b(src|srcset|background|poster|data)=/i.test(tag),
      ),
    ).toEqual([]);
    expect(mail.html).not.toMatch(/@import|url\(/i);
  });

  it('has lines of text that need no wrapping', () => {
    const tooLong = mail.text.split('\n').filter((line) => !line.includes('://') && Array.from(line).length > LINE_LENGTH);
    expect(tooLong.filter((line) => Array.from(line.replaceAll('\u200C', '')).length > LINE_LENGTH)).toEqual([]);
  });
});

describe('a name that a user has chosen', () => {
  it('is in the mails that name it', () => {
    for (const file of ['confirm-email', 'confirm-new-email', 'email-changed', 'invitation', 'passkey-added', 'reset-password']) {
      const { text, html } = exampleMails(everywhere(MARK))[file];
      expect([file, text.replaceAll('\n', ' ').includes(MARK), html.includes(MARK)]).toEqual([file, true, true]);
    }
  });

  it('is in no attribute and no comment', () => {
    for (const { html } of Object.values(exampleMails(everywhere(MARK)))) {
      expect(html.match(/<[^>]*chosen by somebody[^>]*>/)).toBeNull();
    }
  });
});

describe('a link', () => {
  const validUntil = new Date('2026-09-22T14:05:00Z');

  it.each(['javascript:alert(1)', 'data:text/html,x', '/reset', 'ftp://example.org', '', 'https://me:secret@example.org', 'evil.example'])(
    'cannot be %s',
    (link) => {
      const email = 'ann@example.org';
      expect(() => confirmEmail(EXAMPLE_LETTERHEAD, { email, link, validUntil })).toThrow('http');
      expect(() => confirmEmail({ ...EXAMPLE_LETTERHEAD, serviceAddress: link }, { email, link: EXAMPLE_LINK, validUntil })).toThrow(
        'http',
      );
    },
  );

  it('cannot end its attribute', () => {
    const { html } = confirmEmail(EXAMPLE_LETTERHEAD, { email: 'ann@example.org', link: `https://example.org/?a="><b>&c='`, validUntil });
    expect(html).toContain('href="https://example.org/?a=%22%3E%3Cb%3E&amp;c=%27"');
  });
});

describe('the words', () => {
  const validUntil = new Date('2026-09-22T14:05:00Z');

  it('name the time until which a link works, in UTC', () => {
    const { text } = confirmEmail(EXAMPLE_LETTERHEAD, { email: 'ann@example.org', link: EXAMPLE_LINK, validUntil });
    expect(text).toContain('until 22 September 2026, 14:05 UTC.');
  });

  it('name the inviter and the tenant, where they are known', () => {
    const words = (inviter: string | null, tenantName: string | null) =>
      invitation(EXAMPLE_LETTERHEAD, { inviter, tenantName, link: EXAMPLE_LINK, validUntil }).text.replaceAll('\n', ' ');
    expect(words('Dana', 'Acme')).toContain('Dana invites you to Acme, which');
    expect(words(null, 'Acme')).toContain('You are invited to Acme, which');
    expect(words('Dana', null)).toContain('Dana invites you to Northwind Devices.');
  });

  it.each([
    [0, 'No recovery code is left.'],
    [1, 'One recovery code is left.'],
    [9, '9 recovery codes are left.'],
  ])('count %i recovery codes', (codesLeft, words) => {
    const notice = { account: 'ann', at: validUntil, ipAddress: null, browser: null, securityLink: EXAMPLE_SECURITY_LINK };
    const { text } = recoveryCodeUsed(EXAMPLE_LETTERHEAD, { ...notice, codesLeft });
    expect(text.replaceAll('\n', ' ')).toContain(words);
    expect(text).not.toMatch(/^IP address|^Browser/m);
  });
});

it('the preview shows every mail light and dark, wide and narrow', () => {
  const page = previewPage(exampleMails(USUAL_NAMES));
  for (const file of Object.keys(LINK_OF)) {
    const titles = [...page.matchAll(new RegExp(`title="${file}, (light|dark), (600|360) pixels"`, 'g'))];
    expect(titles).toHaveLength(4);
  }
});
