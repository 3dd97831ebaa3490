import type { ReactNode } from 'react';

import { Page } from '../../ui/page/Page.js';

export function DevicesPage(): ReactNode {
  return <Page title="Devices">-</Page>;
}
