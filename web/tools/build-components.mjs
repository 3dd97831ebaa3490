// Builds the page of single components (`components.html`) for their tests. Usage: `node tools/build-components.mjs <folder>`
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// As in what is served to people.
process.env.NODE_ENV = 'production';

const [, , outDir] = process.argv;
const root = fileURLToPath(new URL('../', import.meta.url));
await import('./generate-permissions.mjs');
const { build, loadConfigFromFile } = await import('vite');
const { default: react } = await import('@vitejs/plugin-react');

const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, 'vite.config.ts', root);
const { resolve, css, build: options } = loaded.config;
// Without routes, names for the service and compressed files, this takes a second or two.
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [react()],
  resolve,
  css,
  build: {
    outDir,
    emptyOutDir: true,
    target: options.target,
    cssTarget: options.cssTarget,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: join(root, 'components.html') },
  },
});
