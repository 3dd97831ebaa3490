import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Browsers of spring 2024 and later. With the default target, `light-dark()` is rewritten into dozens of properties. */
const BROWSERS = ['chrome123', 'firefox128', 'safari17.5'];
/** Where `npm run dev` finds the service. */
const SERVICE = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';
/** The page that people come to, and the frame around all pages. */
const FIRST_PAGE = ['src/routes/_app.tsx?tsr-split=component', 'src/routes/_app.devices.index.tsx?tsr-split=component'];
/** Files that compression makes smaller. */
const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt)$/;

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routes.gen.ts',
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    listOfRoutes(),
    compressed(),
  ],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    manifest: true,
    // The content security policy allows no scripts or fonts in data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack|openapi-fetch)[\\/]/, priority: 2 },
            // What all pages begin with is one file, and what the first of them needs is another: a hundred small ones travel slowly.
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: (id, context) => (firstPage(context).has(id) ? 'first-page' : null), debugName: 'first-page' },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/account', '/hubs', '/relay', '/downloads', '/openapi'].map((path) => [
        path,
        {
          target: SERVICE,
          ws: true,
          changeOrigin: true,
          headers: { origin: SERVICE },
          bypass: ({ headers, url }: IncomingMessage) => (opensPage(headers.accept, url) ? '/index.html' : undefined),
        },
      ]),
    ),
  },
});

let modulesOfFirstPage: Set<string> | undefined;

/** All that the first page imports, by the names that the bundler has for it. */
function firstPage(context: Pick<Rolldown.ChunkingContext, 'getModuleInfo'>): ReadonlySet<string> {
  if (modulesOfFirstPage !== undefined) return modulesOfFirstPage;
  modulesOfFirstPage = new Set();
  const add = (id: string): void => {
    if (modulesOfFirstPage?.has(id) === true) return;
    modulesOfFirstPage?.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  FIRST_PAGE.map((path) => fileURLToPath(new URL('.', import.meta.url)) + path).forEach(add);
  return modulesOfFirstPage;
}

/** Writes `routes.json`, the addresses of all pages, from which the service knows what is not found. */
function listOfRoutes(): Plugin {
  return {
    name: 'list-of-routes',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(pages().sort(), null, 1) });
    },
  };
}

/** The addresses of all pages, as patterns: `/devices/$deviceId`. */
function pages(): string[] {
  const tree = readFileSync(new URL('src/routes.gen.ts', import.meta.url), 'utf8');
  const union = /fullPaths:([\s\S]*?)\n {2}fileRoutesByTo/.exec(tree)?.[1];
  if (union === undefined) throw new Error('src/routes.gen.ts has no list of paths.');
  const paths = [...union.matchAll(/'([^']*)'/g)].map(([, path]) => path.replace(/(?<=.)\/$/, ''));
  return [...new Set(paths)];
}

/** Whether a browser opens a page whose address the service uses too, such as `/account/profile`. The service decides by the same. */
function opensPage(accept: string | undefined, url = ''): boolean {
  return accept?.includes('text/html') === true && pages().includes(url.split('?')[0]);
}

/** Adds a `.br` and a `.gz` beside each file, so that the service compresses nothing while it runs. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          if (!COMPRESSIBLE.test(fileName)) continue;
          const bytes = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: br });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
        }
      },
    },
  };
}
