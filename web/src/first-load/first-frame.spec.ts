import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

const script = readFileSync(new URL('../../public/theme.js', import.meta.url), 'utf8');
const names = readdirSync(new URL('../routes/', import.meta.url)).filter(
  (name) => name.startsWith('_signed-out.') && name !== '_signed-out.tsx',
);
const signedOut = names.map((name) => `/${name.split('.')[1]}`);

interface FirstFrame {
  /** The value of `data-frame`. */
  frame?: string;
  /** True if it asks for the session. */
  asks: boolean;
}

/** Returns the result of the script that runs before the first paint, at an address. */
function firstFrameAt(pathname: string, kept: Readonly<Record<string, string>> = {}): FirstFrame {
  const dataset: { frame?: string } = {};
  const links: unknown[] = [];
  const document = { documentElement: { dataset }, head: { append: (link: unknown) => links.push(link) }, createElement: () => ({}) };
  const localStorage = { getItem: (key: string) => kept[key] ?? null };
  runInNewContext(script, { document, location: { pathname }, localStorage, setTimeout: () => undefined });
  return { ...dataset, asks: links.length > 0 };
}

describe('the frame before the scripts', () => {
  it('shows the bar on pages of signed-in users, and asks for the session', () => {
    for (const path of ['/', '/devices', '/account/security', '/registered'])
      expect(firstFrameAt(path), path).toEqual({ frame: 'bar', asks: true });
  });

  it('shows no bar on pages for people who are not signed in, and asks nothing', () => {
    expect(signedOut.length).toBeGreaterThan(5);
    for (const path of signedOut.flatMap((each) => [each, `${each}/some-code`])) expect(firstFrameAt(path), path).toEqual({ asks: false });
  });

  it('shows the look that the browser stores', () => {
    const kept = { preferences: '{"theme":"dark","singleKeys":"off"}', navigation: 'icons' };
    expect(firstFrameAt('/signin', kept)).toEqual({ asks: false, theme: 'dark', singleKeys: 'off', navigation: 'icons' });
    for (const preferences of ['', '{', 'null', '7']) expect(firstFrameAt('/signin', { preferences })).toEqual({ asks: false });
  });
});
