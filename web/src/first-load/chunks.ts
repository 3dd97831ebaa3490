/*
 * The build's division of the code into few files. `vite.config.ts` uses it; README.md of this folder gives the reasons.
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

/** A module that so many pages and other dynamic imports need is in the shared file. With a lower number pages load more that they do not need. */
const SHARED_BY = 16;

/** Components that are loaded after the first page: those of the shell, and those of the list of devices, which is opened most. */
export const AFTER_FIRST_PAGE = [
  'features/devices/FilterMenus',
  'features/devices/ListMenu',
  'features/devices/SortAgain',
  'features/devices/views/ViewList',
  'features/welcome/Checklist',
  'shell/Later',
  'shell/LiveStatus',
  'shell/TenantMenu',
  'shell/UserMenu',
  'shell/navigation/NavigationToggle',
  'ui/toast/Toasts',
];

/** Files for code outside of the first load. Without them each icon, field and text would be a file of some hundred bytes. */
export const LATER_CHUNKS = [
  { name: 'shared', minShareCount: SHARED_BY },
  { name: 'later', test: new RegExp(`src[\\\\/](?:${AFTER_FIRST_PAGE.join('|').replaceAll('/', '[\\\\/]')})\\.tsx$`) },
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
