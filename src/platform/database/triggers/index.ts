import { cascades } from './cascades.js';
import { changeLogChain } from './change-log-chain.js';
import { changeLogSubjects } from './change-log-subjects.js';
import { deletedDevices } from './deleted-devices.js';
import { derivedColumns } from './derived-columns.js';
import { events } from './events.js';
import { forwarding } from './forwarding.js';
import { invalidation } from './invalidation.js';
import { issuedTokens } from './issued-tokens.js';

/**
 * Every function and trigger that the database has, as statements that create them in an empty schema. A migration never
 * imports these files: `npm run migration:generate` compares them with the database and writes the difference into a new
 * migration, which keeps its own text.
 */
export const TRIGGERS: readonly string[] = [
  ...derivedColumns,
  ...cascades,
  ...issuedTokens,
  ...deletedDevices,
  ...invalidation,
  ...changeLogSubjects,
  ...events,
  ...changeLogChain,
  ...forwarding,
];
