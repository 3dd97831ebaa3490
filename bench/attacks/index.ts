import type { Attack } from './attack.js';
import * as http from './http-attacks.js';
import * as hub from './hub-attacks.js';

/** Every attack, in the order in which they are measured. */
export const ATTACKS: readonly Attack[] = [
  http.pipelinedHealth,
  http.manyPipelines,
  http.permissionWrites,
  http.passwordSettings,
  http.signIns,
  http.heavySearches,
  http.searches,
  http.negotiations,
  hub.unfinishedMessages,
  http.requestsOfAccount,
  http.requestsOfTenant,
  http.requestsOfNobody,
  http.uploads,
  hub.unknownMethods,
  hub.pings,
  hub.emptyFrames,
  hub.anonymousConnections,
  hub.slowViewer,
  http.tenantDeletion,
];
