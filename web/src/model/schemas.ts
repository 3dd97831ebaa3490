import type { components as AccountComponents } from '../api/generated/account.js';
import type { components as EventsComponents } from '../api/generated/events.js';
import type { components as InventoryComponents } from '../api/generated/inventory.js';
import type { components as V1Components } from '../api/generated/v1.js';

/** The types of requests and answers, as the service describes them. */
export type Schemas = V1Components['schemas'] & AccountComponents['schemas'] & InventoryComponents['schemas'] & EventsComponents['schemas'];
