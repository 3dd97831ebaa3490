import { crowd } from './crowd.js';
import type { DesktopBench } from './desktop-bench.js';
import { enforcement } from './enforcement.js';
import { keys } from './keys.js';
import { opening } from './opening.js';
import { scrolling } from './scrolling.js';
import { sharpness } from './sharpness.js';
import { still } from './still.js';

/** The measurements of remote control, R1 to R8. */
export const DESKTOP_BENCHES: readonly DesktopBench[] = [keys, scrolling, sharpness, still, opening, enforcement, crowd];
