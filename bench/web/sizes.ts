import { buildFrontEnd, readManifest, scriptsOf, sizeOf, type Manifest } from './built-files.js';
import type { Measurement, WebBench } from './measurement.js';

/** The library of the hub connection. */
const HUB = 'node_modules/@microsoft/signalr/dist/esm/index.js';
const pageAt = (route: string): string => `src/routes/${route}.tsx?tsr-split=component`;
const SHELL = pageAt('_app');
const DEVICE = pageAt('_app.devices.$deviceId');
const STATISTICS = pageAt('_app.server.statistics');
const FIRST_PAGE = [SHELL, pageAt('_app.devices.index')];

/** Pages and parts with budgets of their own: what is loaded for them beside the list of devices. */
const PARTS: readonly { readonly what: string; readonly chunks: readonly string[]; readonly atMost: number }[] = [
  { what: 'terminal, with the hub connection', chunks: [DEVICE, pageAt('_app.devices.$deviceId.terminal'), HUB], atMost: 151 },
  { what: 'screen', chunks: [DEVICE, pageAt('_app.devices.$deviceId.screen')], atMost: 62 },
  { what: 'statistics, with the chart', chunks: [STATISTICS, 'src/features/server-administration/StatisticsChart.tsx'], atMost: 24 },
  { what: 'menus', chunks: ['src/ui/menu/MenuPopup.tsx'], atMost: 63 },
];
const OTHER_PAGES_AT_MOST = 60;
/** Measured by itself. */
const HEAVY = /\.(?:terminal|screen|statistics)\.tsx/;

/** What pages weigh, from the files of the build. */
export const sizes: WebBench = {
  title: 'sizes of pages',
  async measure() {
    await buildFrontEnd();
    const manifest = await readManifest();
    const first = scriptsOf(manifest, ...FIRST_PAGE);
    const beside = async (...chunks: readonly string[]): Promise<number> => {
      const scripts = [...scriptsOf(manifest, ...chunks)];
      return sizeOf(
        scripts.filter((script) => !first.has(script)),
        'gz',
      );
    };
    const parts = await Promise.all(
      PARTS.map(async ({ what, chunks, atMost }): Promise<Measurement> => ({
        what: `scripts of ${what}, beside the list of devices`,
        value: await beside(...chunks),
        unit: 'kB',
        atMost,
      })),
    );
    const others = await Promise.all(pagesOf(manifest).map(async (page) => ({ page, size: await beside(...withLayout(page)) })));
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

function pagesOf(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((name) => name.endsWith('?tsr-split=component') && !HEAVY.test(name));
}

/** A page of a device comes with what all of them share. */
const withLayout = (page: string): string[] => (page.includes('_app.devices.$deviceId') ? [DEVICE, page] : [page]);

/** `src/routes/_app.users.$userId.tsx?tsr-split=component` is `/users/$userId`. */
function addressOf(page: string): string {
  const name = page.slice('src/routes/'.length, page.indexOf('.tsx')).replace(/^_(?:app|signed-out)\.?/, '');
  return `/${name.replaceAll('.', '/').replace(/\/?index$/, '')}`;
}
