import { FirstSchema1763650000000 } from './1763650000000-first-schema.js';

/** Every migration in the order in which it runs. */
export const migrations = [FirstSchema1763650000000];
