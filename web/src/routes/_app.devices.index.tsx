import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';

import { readDeviceSearch } from '../model/devices/device-search.js';
import { DevicesPage } from '../features/devices/DevicesPage.js';
import { devicesQuery } from '../api/devices/device-list.js';
import { lazyAfterFirstPage } from '../first-load/first-page.js';

const Checklist = lazyAfterFirstPage(async () => (await import('../features/welcome/Checklist.js')).Checklist);
const FirstVisit = lazy(async () => ({ default: (await import('../features/welcome/FirstVisit.js')).FirstVisit }));

export const Route = createFileRoute('/_app/devices/')({
  validateSearch: readDeviceSearch,
  loaderDeps: ({ search }) => search,
  // The first rows are asked for while the page's code is still coming; the page shows errors.
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(devicesQuery(deps, 0)),
  component: () => <DevicesPage checklist={<Checklist />} FirstVisit={FirstVisit} />,
});
