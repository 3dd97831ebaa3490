import type { WebBench } from '../web/measurement.js';
import { enforcement } from './enforcement.js';

/** The measurements of remote control, R1 to R8. */
export const DESKTOP_BENCHES: readonly WebBench[] = [enforcement];
