import createClient, { type Middleware } from 'openapi-fetch';

import type { paths as AccountPaths } from './generated/account.js';
import type { paths as EventsPaths } from './generated/events.js';
import type { paths as InventoryPaths } from './generated/inventory.js';
import type { paths as V1Paths } from './generated/v1.js';
import { loadPermissionNames } from '../i18n/loaded-permission-names.js';
import type { Missing } from '../problem/missing.js';
import { type Problem, ProblemError } from '../problem/problem.js';

export type { Schemas } from '../model/schemas.js';

/** Facts and callbacks of the session that the client needs; `access/session.ts` sets them. */
export interface ClientHooks {
  /** Tenant that requests name; null while nobody is signed in. */
  tenantId: string | null;
  /** Number of sign-ins in this page so far. */
  signIns: number;
  /**
   * Called when a request was refused because nobody is signed in, with the number of sign-ins at its beginning. Resolves after a sign-in,
   * at once if there has been one since, or rejects.
   */
  onSignedOut: ((since: number) => Promise<void>) | null;
  /** A request asks for another proof of identity. Resolves once it was given, or rejects. */
  onStepUp: (() => Promise<void>) | null;
}

export const hooks: ClientHooks = { tenantId: null, signIns: 0, onSignedOut: null, onStepUp: null };

/** Sends a refused request once more after a proof. */
const repeats = new WeakMap<Request, (prove: (since: number) => Promise<void>) => Promise<Response>>();
/** Bodies of requests, by request: they name the objects that a refusal is about. */
const bodies = new WeakMap<Request, Readonly<Record<string, unknown>>>();

/** Paths of the API, and of the account API where that is about the users of a tenant. */
const ACTS_IN_TENANT = /^\/(api|account\/(users|invites\/.*\/|security-log\/tenant))/;

/**
 * Adds the tenant in which it acts to every request of the API. The request is created again with its body as a text: a request that is
 * made from another one streams its body, which browsers do over HTTP/2 only.
 */
const namesTenant: Middleware = {
  async onRequest({ request, schemaPath }) {
    const url = new URL(request.url);
    if (hooks.tenantId !== null && ACTS_IN_TENANT.test(schemaPath) && !url.searchParams.has('tenantId')) {
      url.searchParams.set('tenantId', hooks.tenantId);
    }
    const body = request.body === null ? undefined : await request.text();
    const { method, headers, signal } = request;
    const send = (): Request => new Request(url, { method, headers, body, signal });
    const sent = send();
    const since = hooks.signIns;
    repeats.set(sent, (prove) => prove(since).then(() => fetch(send())));
    if (body?.startsWith('{') === true) bodies.set(sent, JSON.parse(body) as Record<string, unknown>);
    return sent;
  },
};

const repeatsAfterProof: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    const prove = await proofFor(response, schemaPath);
    return prove === null ? undefined : repeats.get(request)?.(prove);
  },
};

/** Routes whose 401 is an answer: a wrong password, or nobody signed in. */
const ANSWERED_HERE: ReadonlySet<string> = new Set([
  '/account/session',
  '/account/sign-in',
  '/account/passkeys/sign-in',
  '/account/step-up',
  '/account/password',
]);

/** Returns the step that must precede the repetition of a refused request; null if none would help. */
export async function proofFor(response: Response, schemaPath: string): Promise<((since: number) => Promise<void>) | null> {
  if (response.status === 401 && hooks.tenantId !== null && !ANSWERED_HERE.has(schemaPath)) return hooks.onSignedOut;
  if (response.status === 403 && (await problemIn(response.clone())).reason === 'StepUpRequired') return hooks.onStepUp;
  return null;
}

const throwsProblems: Middleware = {
  async onResponse({ request, response, schemaPath, params }) {
    if (response.ok || response.status === 304) return undefined;
    throw await refusal(response, `${request.method} ${schemaPath}`, { ...bodies.get(request), ...params.path });
  },
  // Errors that the browser throws when there is no answer. Requests that the page gave up end in an error of another kind.
  onError({ error }) {
    return error instanceof TypeError ? new ProblemError(0, { title: error.message }) : undefined;
  },
};

async function problemIn(response: Response): Promise<Problem> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return isJson ? ((await response.json()) as Problem) : { title: response.statusText };
}

/**
 * Returns the permission that a refused caller lacks, and its scope. Code that comes with the first refusal looks it up; without that code,
 * returns none.
 */
async function missingBy(problem: Problem, operation: string, named: Readonly<Record<string, unknown>>): Promise<Missing | null> {
  const [found] = await Promise.all([import('./missing-permission.js').catch(() => null), loadPermissionNames()]);
  return found?.missingPermission(problem, operation, named) ?? null;
}

/**
 * The error for a refused request. `operation` is its method and the path in the description, `named` the parameters and the body, which
 * name the device that it is about.
 */
export async function refusal(response: Response, operation: string, named: Readonly<Record<string, unknown>> = {}): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get('retry-after'));
  const problem = await problemIn(response);
  const missing = response.status === 403 ? await missingBy(problem, operation, named) : null;
  return new ProblemError(response.status, problem, missing?.permission, retryAfter > 0 ? retryAfter : null, missing?.place);
}

/** Calls the service. Refusals are thrown as ProblemError; the tenant is added by itself. */
export const api = createClient<V1Paths & AccountPaths & InventoryPaths & EventsPaths>({ baseUrl: location.origin });
// An answer passes through them in reverse order.
api.use(throwsProblems, repeatsAfterProof, namesTenant);

/** The body of an answer, which is there because a refusal was thrown. */
export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  return (await answer).data as NonNullable<T>;
}
