import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { DIALOGS, OPENED_ELSEWHERE } from '../browser/support/dialogs.js';

/** Components of the kit that open over the page, and those that others are made of. */
const OVER_THE_PAGE =
  /<(Dialog\.Root|Dialog|Drawer|FormDialog|EditDialog|DeleteDialog|RevokeDialog|ActDialog|RenameDialog|SecretDialog|Confirm|ConfirmByName|AskToLeave|CsvExport)(?=[\s<>])/g;
const SOURCES = 'web/src';

/** Each use outside of the kit, as the table of the test names it. */
function uses(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('ui/'))
    .flatMap((file) => {
      const counts = new Map<string, number>();
      return [...readFileSync(join(SOURCES, file), 'utf8').matchAll(OVER_THE_PAGE)].map(([, component = '']) => {
        const count = (counts.get(component) ?? 0) + 1;
        counts.set(component, count);
        return `${file} ${component}${count === 1 ? '' : ` ${count}`}`;
      });
    });
}

describe('the dialogs of the front end', () => {
  it('are each opened by the test of their focus, or listed as opened in a state of their own', () => {
    const named = [...DIALOGS.map(({ of }) => of), ...Object.keys(OPENED_ELSEWHERE)];
    expect(named.sort()).toEqual(uses().sort());
  });

  it('are opened elsewhere by specs that exist', () => {
    const missing = Object.values(OPENED_ELSEWHERE).filter((spec) => !existsSync(`test/browser/${spec}.e2e-spec.ts`));
    expect(missing).toEqual([]);
  });
});
