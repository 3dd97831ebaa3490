import { beforeAll, describe, expect, it } from 'vitest';

import { type Import, importsOf, membersOfCircles, sourcesOf, specifiersOf, textOf } from './import-graph.js';

/*
 * The layers of the front end: the folders of `web/src`, and the others that each may import. `docs/web.md` describes each.
 */

const FOUNDATIONS = ['i18n', 'model', 'problem', 'state'];
const SERVICE = [...FOUNDATIONS, 'ui', 'api', 'first-load', 'keyboard'];

/** Each layer with those that it may import. The types of the API (`api/generated`) are open to all but the kit. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  i18n: [],
  model: [],
  problem: ['model'],
  state: ['i18n', 'model'],
  ui: ['i18n', 'problem', 'state'],
  api: ['i18n', 'problem', 'model', 'state'],
  'first-load': ['api'],
  keyboard: ['state', 'ui', 'first-load'],
  access: SERVICE,
  live: SERVICE,
  parts: [...SERVICE, 'access', 'live'],
  features: [...SERVICE, 'access', 'live', 'parts'],
  shell: [...SERVICE, 'access', 'live', 'parts', 'features'],
  routes: [...SERVICE, 'access', 'live', 'parts', 'features', 'shell'],
  // Files that start the front end.
  '': [...SERVICE, 'shell', 'routes'],
};

/** Layers of facts and functions: no components, no hooks. */
const WITHOUT_REACT = ['i18n', 'model', 'problem'];
const isOfReact = (specifier: string): boolean => /^(?:react|@tanstack\/react-)/.test(specifier);

/** A call of the API. */
const CALL = /\bapi\s*\.(?:GET|POST|PUT|PATCH|DELETE)\(/;
/** Files that call the API: those of `api`, and the session, which knows who is signed in. */
const mayCall = (path: string): boolean => layerOf(path) === 'api' || path === 'web/src/access/session.ts';

const segmentsOf = (path: string): string[] => path.split('/').slice(2);
const layerOf = (path: string): string => (segmentsOf(path).length > 1 ? segmentsOf(path)[0] : '');
const featureOf = (path: string): string | null => (layerOf(path) === 'features' ? segmentsOf(path)[1] : null);

/** The rule that an import breaks, or null. Only imports within `web/src` have rules. */
function brokenRule({ from, to }: Import): string | null {
  if (!from.startsWith('web/src/') || !to.startsWith('web/src/')) return null;
  const layer = layerOf(from);
  const target = layerOf(to);
  const allowed = LAYERS[layer];
  if (allowed === undefined) return `${layer} is no layer`;
  if (to.startsWith('web/src/api/generated/')) return layer === 'ui' ? 'ui knows no service' : null;
  if (layer === 'features' && target === 'features') {
    return featureOf(from) === featureOf(to) ? null : 'no feature imports another';
  }
  return layer === target || allowed.includes(target) ? null : `${layer || 'what starts'} uses only ${allowed.join(', ') || 'itself'}`;
}

const isTest = (path: string): boolean => /\.(?:spec|test-d)\.tsx?$/.test(path);

/** The layers that import themselves through others. */
const layersInCircles = (imports: readonly Import[]): string[] =>
  membersOfCircles(
    imports
      .filter(({ to }) => to.startsWith('web/src/') && !to.startsWith('web/src/api/generated/'))
      .map(({ from, to }) => ({ from: layerOf(from), to: layerOf(to) }))
      .filter(({ from, to }) => from !== to),
  );

const importing = (from: string, to: string): Import => ({ from: `web/src/${from}`, to: `web/src/${to}` });

describe('the layers of the front end', () => {
  let paths: string[];
  let imports: Import[];

  beforeAll(async () => {
    paths = (await sourcesOf('web/src')).filter((path) => !isTest(path) && !path.endsWith('routes.gen.ts'));
    expect(paths.length).toBeGreaterThan(300);
    const known = new Set(paths);
    const all = (await Promise.all(paths.map(importsOf))).flat();
    // The tree of routes is made from their files; modules that take their types from it import no route.
    imports = all
      .filter(({ to }) => !to.endsWith('routes.gen.ts'))
      .map(({ from, to }) => {
        const component = to.replace(/\.ts$/, '.tsx');
        return { from, to: known.has(component) ? component : to };
      });
    expect(imports.length).toBeGreaterThan(paths.length);
  });

  it('are followed in every file', () => {
    const broken = imports.flatMap((each) => {
      const rule = brokenRule(each);
      return rule === null ? [] : [`${each.from} imports ${each.to}: ${rule}`];
    });
    expect(broken).toEqual([]);
  });

  it('below the kit know nothing of React', async () => {
    expect(isOfReact('react')).toBe(true);
    expect(isOfReact('@tanstack/react-query')).toBe(true);
    const pure = paths.filter((path) => WITHOUT_REACT.includes(layerOf(path)));
    expect(pure.length).toBeGreaterThan(10);
    const withReact = await Promise.all(pure.map(async (path) => ((await specifiersOf(path)).some(isOfReact) ? [path] : [])));
    expect(withReact.flat()).toEqual([]);
  });

  it('call the API in one layer, where queries and mutations of a resource stand together', async () => {
    const calling = (await Promise.all(paths.map(async (path) => (CALL.test(await textOf(path)) ? [path] : [])))).flat();
    expect(calling.length).toBeGreaterThan(20);
    expect(calling.filter((path) => !mayCall(path))).toEqual([]);
  });

  it('have no circles', () => {
    expect(layersInCircles(imports)).toEqual([]);
    const back = importing('live/hub.ts', 'parts/devices/columns.tsx');
    expect(layersInCircles([...imports, back])).toEqual(expect.arrayContaining(['live', 'parts']));
  });

  it('have no circles of files', () => {
    expect(membersOfCircles(imports)).toEqual([]);
    const back = importing('ui/classes.ts', 'ui/button/Button.tsx');
    expect(membersOfCircles([...imports, back])).toEqual(expect.arrayContaining([back.from, back.to]));
  });

  it.each([
    ['features/devices/DevicesPage.tsx', 'features/welcome/Checklist.tsx'],
    ['features/devices/DevicesPage.tsx', 'shell/Shell.tsx'],
    ['features/devices/DevicesPage.tsx', 'routes/_app.tsx'],
    ['parts/devices/DeviceGrid.tsx', 'features/devices/DevicesPage.tsx'],
    ['ui/form/Form.tsx', 'api/client.ts'],
    ['ui/form/Form.tsx', 'api/generated/v1.ts'],
    ['ui/form/Form.tsx', 'model/schemas.ts'],
    ['ui/form/Form.tsx', 'access/session.ts'],
    ['model/devices/device.ts', 'api/client.ts'],
    ['model/devices/device.ts', 'ui/icon/Icon.tsx'],
    ['state/store.ts', 'api/client.ts'],
    ['problem/problem.ts', 'i18n/t.ts'],
    ['api/client.ts', 'ui/toast/toasts.ts'],
    ['api/client.ts', 'access/session.ts'],
    ['first-load/first-page.ts', 'live/hub.ts'],
    ['access/session.ts', 'live/hub.ts'],
    ['live/hub.ts', 'access/session.ts'],
    ['shell/Shell.tsx', 'routes/_app.tsx'],
    ['other/thing.ts', 'ui/classes.ts'],
  ])('would not allow %s to import %s', (from, to) => {
    expect(brokenRule(importing(from, to))).not.toBeNull();
  });

  it.each([
    ['features/devices/DevicesPage.tsx', 'features/devices/Filters.tsx'],
    ['features/devices/DevicesPage.tsx', 'parts/devices/columns.tsx'],
    ['parts/permissions/scopes.ts', 'access/can.ts'],
    ['model/schemas.ts', 'api/generated/v1.ts'],
    ['routes/_app.devices.index.tsx', 'features/welcome/Checklist.tsx'],
  ])('allow %s to import %s', (from, to) => {
    expect(brokenRule(importing(from, to))).toBeNull();
  });
});
