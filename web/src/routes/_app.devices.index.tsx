import { createFileRoute } from '@tanstack/react-router';

import { readDeviceSearch } from '../model/devices/device-search.js';
import { DevicesPage } from '../features/devices/DevicesPage.js';
import { devicesQuery } from '../api/device-list.js';

export const Route = createFileRoute('/_app/devices/')({
  validateSearch: readDeviceSearch,
  loaderDeps: ({ search }) => search,
  // The first rows are asked for while the page's code is still coming; the page shows what went wrong.
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(devicesQuery(deps, 0)),
  component: DevicesPage,
});
