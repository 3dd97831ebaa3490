import { buildFrontEnd, readManifest, scriptsOf, sizeOf, type Manifest } from './built-files.js';
import type { Measurement, WebBench } from './measurement.js';

/** The library of the hub connection. */
const HUB = 'node_modules/@microsoft/signalr/dist/esm/index.js';
const FIRST_PAGE = '_app.devices.index';

/** A page with a budget of its own, or a part that many pages share. */
interface Part {
  readonly what: string;
  /** The route of the page. */
  readonly page?: string;
  /** Chunks that are loaded besides. */
  readonly chunks?: readonly string[];
  /** kB. Left out for files that come when the page is in use already. */
  readonly atMost?: number;
}

/** Parts with budgets of their own, for the files that each loads beside those of the list of devices. */
const PARTS: readonly Part[] = [
  { what: 'terminal, with the hub connection', page: '_app.devices.$deviceId.terminal', chunks: [HUB], atMost: 151 },
  {
    what: 'terminal, once it is drawn: WebGL, and the search in it',
    chunks: ['node_modules/@xterm/addon-webgl/lib/addon-webgl.mjs', 'node_modules/@xterm/addon-search/lib/addon-search.mjs'],
  },
  { what: 'screen', page: '_app.devices.$deviceId.screen', atMost: 62 },
  { what: 'screen, while the port is chosen: noVNC', chunks: ['node_modules/@novnc/novnc/core/rfb.js'], atMost: 62 },
  { what: 'statistics, with the chart', page: '_app.server.statistics', atMost: 24 },
  { what: 'menus', chunks: ['src/ui/menu/MenuPopup.tsx'], atMost: 63 },
];
const OTHER_PAGES_AT_MOST = 60;

/** The part of a page that is loaded with it: `src/routes/_app.tags.index.tsx?tsr-split=component`, and `---loader` if it asks for data. */
const PAGE = /^src\/routes\/(.+)\.tsx\?tsr-split=component/;

/** Sizes of pages, from the files of the build. */
export const sizes: WebBench = {
  title: 'sizes of pages',
  async measure() {
    await buildFrontEnd();
    const manifest = await readManifest();
    const pages = pagesOf(manifest);
    const first = scriptsOf(manifest, ...withLayouts(pages, FIRST_PAGE));
    const beside = async (...chunks: readonly string[]): Promise<number> => {
      const scripts = [...scriptsOf(manifest, ...chunks)];
      return sizeOf(
        scripts.filter((script) => !first.has(script)),
        'gz',
      );
    };
    const parts = await Promise.all(
      PARTS.map(async ({ what, page, chunks = [], atMost }): Promise<Measurement> => ({
        what: `scripts of ${what}, beside the list of devices`,
        value: await beside(...(page === undefined ? [] : withLayouts(pages, page)), ...chunks),
        unit: 'kB',
        atMost,
      })),
    );
    const light = [...pages.keys()].filter((page) => PARTS.every((part) => part.page !== page));
    const others = await Promise.all(light.map(async (page) => ({ page, size: await beside(...withLayouts(pages, page)) })));
    const largest = others.reduce((one, other) => (other.size > one.size ? other : one));
    return [
      ...parts,
      {
        what: `scripts of any other page: the largest of ${others.length}`,
        value: largest.size,
        unit: 'kB',
        atMost: OTHER_PAGES_AT_MOST,
        more: `\`${addressOf(largest.page)}\``,
      },
    ];
  },
};

/** The chunks of all pages and layouts, by route. */
function pagesOf(manifest: Manifest): Map<string, string> {
  const routes = Object.keys(manifest).map((chunk) => [PAGE.exec(chunk)?.[1], chunk] as const);
  return new Map(routes.filter((each): each is [string, string] => each[0] !== undefined));
}

/** The chunks of a page and of the layouts around it: `_app` and `_app.devices.$deviceId` are around `_app.devices.$deviceId.files`. */
function withLayouts(pages: ReadonlyMap<string, string>, page: string): string[] {
  if (!pages.has(page)) throw new Error(`The build has no page ${page}.`);
  return [...pages].filter(([route]) => route === page || page.startsWith(`${route}.`)).map(([, chunk]) => chunk);
}

/** `_app.users.$userId.tokens` is `/users/$userId/tokens`. */
function addressOf(route: string): string {
  const name = route.replace(/^_(?:app|signed-out)\.?/, '');
  return `/${name.replaceAll('.', '/').replace(/\/?index$/, '')}`;
}
