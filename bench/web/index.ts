import { firstLoad } from './first-load.js';
import { largeTenant } from './large-tenant.js';
import type { WebBench } from './measurement.js';
import { memory } from './memory.js';
import { scrolling } from './scrolling.js';
import { sizes } from './sizes.js';
import { terminal } from './terminal.js';

/** Everything that is measured of the front end, in the order of the table. */
export const WEB_BENCHES: readonly WebBench[] = [firstLoad, sizes, scrolling, memory, largeTenant, terminal];
