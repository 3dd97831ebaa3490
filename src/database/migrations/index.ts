import { InitialSchema1763650000000 } from './1763650000000-initial-schema.js';

/** Every migration in the order in which it runs. */
export const migrations = [InitialSchema1763650000000];
