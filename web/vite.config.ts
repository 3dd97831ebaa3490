import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

import { FIRST_LOAD_CHUNKS, LATER_CHUNKS, loadedAhead, loadsWithItsPage } from './src/first-load/chunks.ts';

/** Browsers of spring 2024 and later. With the default target, `light-dark()` is rewritten into dozens of properties. */
const BROWSERS = ['chrome123', 'firefox128', 'safari17.5'];
/** The address of the service for `npm run dev`. */
const SERVICE = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';
/** Files that compression makes smaller. */
const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt)$/;

const { resolve: pathOf } = createRequire(import.meta.url);
const sourceOf = (path: string): string => fileURLToPath(new URL(`../libs/${path}`, import.meta.url));

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (loadsWithItsPage(routeId) ? [['loader', 'component']] : undefined) },
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routes.gen.ts',
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    typefaceAhead(),
    listOfRoutes(),
    compressed(),
  ],
  resolve: {
    // TanStack Store and Base UI still bring what React itself has had since version 18.
    alias: [
      { find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/, replacement: pathOf('use-sync-external-store/with-selector') },
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: pathOf('use-sync-external-store') },
      // The address of the worker of desktops, which is built as a script of its own.
      { find: '#desktop-worker', replacement: `${pathOf('./src/live/sessions/desktop/worker/desktop-worker.ts')}?worker&url` },
      // Where the worker finds its messages. Pages take types only.
      { find: '#libs/desktop-stream', replacement: sourceOf('desktop-stream/src/index.ts') },
      { find: '#libs/contracts/wire', replacement: sourceOf('contracts/src/wire/index.ts') },
      { find: '#libs/signalr/wire', replacement: sourceOf('signalr/src/wire/index.ts') },
    ],
  },
  worker: { format: 'es' },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    manifest: true,
    // The content security policy allows no scripts or fonts in data URLs.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => loadedAhead(files, hostType),
    },
    // The first load names every style sheet: without the names of components it is half a kilobyte smaller.
    rolldownOptions: {
      // The first load imports some modules dynamically that later code imports statically. Timings of plugins help nobody who only builds.
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
      output: { codeSplitting: { groups: [...FIRST_LOAD_CHUNKS, ...LATER_CHUNKS] }, assetFileNames: 'assets/[hash][extname]' },
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

/** Has the browser load the typeface beside the scripts: style sheets alone would ask for it with the first text. */
function typefaceAhead(): Plugin {
  return {
    name: 'typeface-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
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

/** Checks that a browser opens a page whose address the service also uses, such as `/account/profile`. The service decides the same way. */
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
