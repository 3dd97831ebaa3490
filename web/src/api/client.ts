import createClient, { type Middleware } from 'openapi-fetch';

import type { components as AccountComponents, paths as AccountPaths } from './generated/account.js';
import { permissionOf } from './generated/permissions.js';
import type { components as V1Components, paths as V1Paths } from './generated/v1.js';
import { type Problem, ProblemError } from './problem.js';

/** The types of requests and answers, as the service describes them. */
export type Schemas = V1Components['schemas'] & AccountComponents['schemas'];

/** What the client has to know of the session; `access/session.ts` sets it. */
export interface ClientHooks {
  /** Tenant that requests name; null while nobody is signed in. */
  tenantId: string | null;
  /** A request was refused because nobody is signed in any more. Resolves once somebody is, or rejects. */
  onSignedOut: (() => Promise<void>) | null;
  /** A request asks for another proof of identity. Resolves once it was given, or rejects. */
  onStepUp: (() => Promise<void>) | null;
}

export const hooks: ClientHooks = { tenantId: null, onSignedOut: null, onStepUp: null };

/** Every request of the API names the tenant in which it acts. */
const namesTenant: Middleware = {
  onRequest({ request, schemaPath }) {
    if (hooks.tenantId === null || !schemaPath.startsWith('/api/')) return undefined;
    const url = new URL(request.url);
    if (!url.searchParams.has('tenantId')) url.searchParams.set('tenantId', hooks.tenantId);
    return new Request(url, request);
  },
};

/** Requests under way and how to send them again: a body can be read only once. */
const copies = new WeakMap<Request, Request>();

const repeatsAfterProof: Middleware = {
  onRequest({ request }) {
    copies.set(request, request.clone());
    return undefined;
  },
  async onResponse({ request, response, schemaPath }) {
    const copy = copies.get(request);
    const prove = await proofFor(response, schemaPath);
    if (copy === undefined || prove === null) return undefined;
    await prove();
    return fetch(copy);
  },
};

/** What has to happen before a refused request is repeated; null if nothing would help. */
async function proofFor(response: Response, schemaPath: string): Promise<(() => Promise<void>) | null> {
  if (response.status === 401 && hooks.tenantId !== null && !schemaPath.startsWith('/account/s')) return hooks.onSignedOut;
  if (response.status === 403 && (await problemIn(response.clone())).reason === 'StepUpRequired') return hooks.onStepUp;
  return null;
}

const throwsProblems: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    if (response.ok || response.status === 304) return undefined;
    throw await refusal(response, `${request.method} ${schemaPath}`);
  },
};

async function problemIn(response: Response): Promise<Problem> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return isJson ? ((await response.json()) as Problem) : { title: response.statusText };
}

/** The error for a refused request. `operation` is its method and the path in the description. */
export async function refusal(response: Response, operation: string): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ProblemError(
    response.status,
    await problemIn(response),
    response.status === 403 ? (permissionOf[operation] ?? null) : null,
    retryAfter > 0 ? retryAfter : null,
  );
}

/** Calls the service. Refusals are thrown as ProblemError; the tenant is added by itself. */
export const api = createClient<V1Paths & AccountPaths>({ baseUrl: location.origin });
// Answers pass the last one first.
api.use(throwsProblems, repeatsAfterProof, namesTenant);

/** The body of an answer, which is there because a refusal was thrown. */
export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  return (await answer).data as NonNullable<T>;
}
