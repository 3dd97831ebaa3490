import { MessageSeverity } from '../enums.js';
import { indexedRecord, record } from '../wire/composites.js';
import { MAX_TEXT_LENGTH } from '../wire/limits.js';
import { int32, text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const ServerStatsDto = record('ServerStatsDto', 'The statistics of the server, over all tenants.', {
  totalTenants: int32,
  onlineAgents: int32,
  totalAgents: int32,
  onlineUsers: int32,
  totalUsers: int32,
});
export type ServerStatsDto = Infer<typeof ServerStatsDto>;

export const ToastInfo = indexedRecord('ToastInfo', 'A short message to show.', {
  message: text(MAX_TEXT_LENGTH),
  messageSeverity: MessageSeverity,
});
export type ToastInfo = Infer<typeof ToastInfo>;
