import { expect } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import type { PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type { ValidCall } from '../../routes/resource.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { detailOf } from '../../support/callers/callers.js';
import { complaints, keyOf, send } from './calling.js';
import { everythingStored } from './everything-stored.js';

/** The message of a 403. It distinguishes a refusal of the guard from one of the service, which could hide an open guard. */
export interface Refusal {
  readonly detail: string;
}

/** The expected result of a call: a status, 403 with its message, or success that does or does not reach the device of the call. */
export type Outcome = number | Refusal | 'reached' | 'not reached';

/** A call of a route by a caller. */
export interface Cell {
  readonly route: DeclaredRoute;
  readonly who: string;
  readonly client: ApiClient;
  readonly call: ValidCall;
  readonly outcome: Outcome;
}

const NOT_SIGNED_IN: Refusal = {
  detail: 'Only users who signed in can do this. Tokens and keys cannot change how their owner signs in.',
};

export const isAnonymous = ({ access }: DeclaredRoute): boolean => access.kind === 'Anonymous';
export const needsPermission = ({ access }: DeclaredRoute): boolean => access.kind === 'Permission';

/** The permissions of which each alone opens the route. */
export function neededBy({ access }: DeclaredRoute): PermissionDefinition[] {
  if (access.kind !== 'Permission') return [];
  return access.orServer === null ? [access.permission] : [access.permission, access.orServer];
}

export function looksAtEachDevice({ access }: DeclaredRoute): boolean {
  return access.kind === 'Permission' && access.target.kind === 'DeviceScope';
}

/** The expected result for a caller that may not use the route. */
export function refusal(route: DeclaredRoute): Outcome {
  if (looksAtEachDevice(route)) return 'not reached';
  if (route.access.kind !== 'Permission') throw new Error(`${keyOf(route)} asks for no permission.`);
  return { detail: `The permission ${route.access.permission.name} is required.` };
}

/** The expected result for a caller, whose credential is a token or key, that may use the route if such callers may at all. */
export function success(route: DeclaredRoute, call: ValidCall, actsAsUser: boolean): Outcome {
  if (route.access.kind === 'SignedIn') return NOT_SIGNED_IN;
  return looksAtEachDevice(route) ? 'reached' : actsAsUser ? call.status : (call.statusWithoutUser ?? call.status);
}

/** Makes the calls and returns a sentence for each unexpected result. */
export function complaintsAbout(cells: readonly Cell[], tenantId: string): Promise<string[]> {
  return complaints(cells, async ({ route, who, client, call, outcome }) => {
    const answer = await send(client, route, call, tenantId);
    const problem = problemWith(outcome, call, answer);
    return problem === null ? null : `${keyOf(route)}, ${who}: ${problem} (${answer.text.slice(0, 300)})`;
  });
}

/** Makes calls that must have the expected result and change nothing. */
export async function expectNothingChanged(server: TestApp, cells: readonly Cell[], tenantId: string): Promise<void> {
  expect(cells.length).toBeGreaterThan(0);
  const before = await everythingStored(server);
  expect(await complaintsAbout(cells, tenantId)).toEqual([]);
  expect(await everythingStored(server)).toEqual(before);
}

function problemWith(outcome: Outcome, call: ValidCall, answer: ApiAnswer): string | null {
  if (typeof outcome === 'number') {
    if (answer.status !== outcome) return `${answer.status} instead of ${outcome}`;
    const isAsExpected = outcome !== call.status || call.detail === undefined || (detailOf(answer) ?? answer.text) === call.detail;
    return isAsExpected ? null : `another sentence than: ${call.detail}`;
  }
  if (typeof outcome === 'object') {
    return answer.status === 403 && detailOf(answer) === outcome.detail ? null : `${answer.status} instead of 403: ${outcome.detail}`;
  }
  const { deviceId, reached } = call;
  if (answer.status !== 200 || deviceId === undefined || reached === undefined) return `${answer.status} instead of 200`;
  const isReached = reached(answer).includes(deviceId);
  return isReached === (outcome === 'reached') ? null : `the device is ${isReached ? '' : 'not '}reached`;
}
