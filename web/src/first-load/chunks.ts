/*
 * The build's division of the first load into few files. `vite.config.ts` uses it; README.md of this folder gives the reasons.
 */

/** Code that is loaded with the first page, in files that compress better together. A group holds the imports of its modules, too. */
export const FIRST_LOAD_CHUNKS = [
  {
    name: 'react',
    test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack|openapi-fetch)[\\/]/,
    priority: 3,
    tags: ['$initial'] as ['$initial'],
  },
  { name: 'shell', test: /src[\\/](?:router\.tsx$|routes[\\/]_app\.tsx\?)/, priority: 2 },
  { name: 'devices', test: /src[\\/]routes[\\/]_app\.devices\.index\.tsx\?/, priority: 1 },
];

/**
 * True if the loader of a page comes with its component. The pages of devices send their first requests while their code is still coming.
 */
export const loadsWithItsPage = (routeId: string): boolean => !routeId.startsWith('/_app/devices');

/**
 * The files that are loaded ahead of the code that names them. The lists of every page's imports would be a tenth of the first load: pages
 * are loaded ahead when a pointer comes near their link. The list of devices is opened most: its code does not wait.
 */
export const loadedAhead = (files: string[], host: 'html' | 'js'): string[] =>
  host === 'html' ? files : files.filter((file) => file.endsWith('.css') || file.startsWith('assets/devices-'));
