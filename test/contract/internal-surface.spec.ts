import { beforeAll, describe, expect, it } from 'vitest';

import { describeOffline } from '../../src/describe-offline.js';
import { internalContract, type InternalRoute } from '../routes/internal.js';

interface Operation {
  readonly deprecated?: boolean;
  readonly 'x-replacement-route'?: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: string } }>> }>
  >;
}

const UNANSWERED_WAIT = 'Nobody waits for the answer any more.';
const WRONG_FIELD = 'Every 400 of the route names a field, and such answers are Problem Details everywhere.';
const OWN_DATA = 'The data belong to the calling principal, of whatever kind, and its tenant is there as long as it is.';
const FILLED = 'The specification fills answers under /api that end with an error status and no body.';
const HAS_VERSION = 'The server knows its version.';

/** Failures that differ from the contract, each with the reason. Statuses that the contract leaves open are those of version 1. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'DELETE /api/tags/{tagId} 404: problem instead of nothing': FILLED,
  'DELETE /api/tenant-settings/{name} 404: never answered instead of problem': OWN_DATA,
  'DELETE /api/users/{userId} 404: problem instead of nothing': FILLED,
  'GET /api/device-file-system/download/{deviceId} 408: never answered instead of nothing': UNANSWERED_WAIT,
  'GET /api/device-file-system/download/{deviceId} 413: problem instead of nothing': FILLED,
  'GET /api/device-file-system/download/{deviceId} 500: text or problem instead of text or nothing': FILLED,
  'GET /api/personal-access-tokens 400: never answered instead of text': 'A caller that is no user is refused with 403, as in version 1.',
  'GET /api/tenant-settings/{name} 404: never answered instead of problem': OWN_DATA,
  'GET /api/user-preferences/{name} 404: never answered instead of problem': OWN_DATA,
  'GET /api/version/server 404: never answered instead of problem': HAS_VERSION,
  'PATCH /api/devices/{deviceId}/alias 400: problem instead of text': WRONG_FIELD,
  'POST /api/device-file-system/contents 408: never answered instead of nothing': UNANSWERED_WAIT,
  'POST /api/device-file-system/download-archive/{deviceId} 408: never answered instead of nothing': UNANSWERED_WAIT,
  'POST /api/device-file-system/download-archive/{deviceId}/form 408: never answered instead of nothing': UNANSWERED_WAIT,
  'POST /api/device-file-system/download-archive/{deviceId} 413: problem instead of nothing': FILLED,
  'POST /api/device-file-system/download-archive/{deviceId}/form 413: problem instead of nothing': FILLED,
  'POST /api/device-file-system/subdirectories 408: never answered instead of nothing': UNANSWERED_WAIT,
  'POST /api/device-file-system/upload/{deviceId} 408: problem instead of nothing': FILLED,
  'POST /api/device-file-system/upload/{deviceId} 413: problem instead of nothing':
    'Uploads that are too large are Problem Details on both surfaces.',
  'POST /api/device-file-system/validate-path/{deviceId} 408: never answered instead of problem': UNANSWERED_WAIT,
  'POST /api/logon-tokens 404: never answered instead of problem': 'The user is the caller.',
  'POST /api/tenant-settings 404: never answered instead of problem': OWN_DATA,
  'POST /api/user-preferences 404: never answered instead of problem': OWN_DATA,
  'POST /api/users/{userId}/reset-password 404: problem instead of nothing': FILLED,
  'PUT /api/tags 404: problem instead of nothing': FILLED,
  'PUT /api/tenant-settings 404: never answered instead of problem': OWN_DATA,
  'PUT /api/user-preferences 404: never answered instead of problem': OWN_DATA,
};

let operations: ReadonlyMap<string, Operation>;

beforeAll(async () => {
  const { internal } = JSON.parse(JSON.stringify(await describeOffline())) as {
    readonly internal: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  };
  operations = new Map(
    Object.entries(internal.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
});

/** The form of a body: `list`, `body`, `problem`, `text` or `nothing`; several are joined by `or`. */
function formOf(status: string, { content = {} }: Operation['responses'][string]): string {
  const forms = Object.entries(content).map(([mediaType, { schema }]) => {
    if (Number(status) < 300) return schema?.type === 'array' ? 'list' : 'body';
    return mediaType === 'text/plain' ? 'text' : 'problem';
  });
  return forms.length === 0 ? 'nothing' : forms.sort().reverse().join(' or ');
}

/** The replacement as the extension writes it: with its verb only where that differs. */
function replacementText(key: string, { replacement }: InternalRoute): string | undefined {
  const [method] = key.split(' ');
  return replacement?.startsWith(`${method} `) ? replacement.slice(method.length + 1) : (replacement ?? undefined);
}

describe('the internal surface', () => {
  it('has every route of the contract, deprecated in favour of the one that replaces it', () => {
    const found = [...operations].filter(([key]) => key in internalContract);
    const given = found.map(([key, operation]) => `${key}: ${operation.deprecated ?? false}, ${operation['x-replacement-route']}`);
    const wanted = Object.entries(internalContract).map(
      ([key, route]) => `${key}: ${route.replacement !== null}, ${replacementText(key, route)}`,
    );
    expect(given.sort()).toEqual(wanted.sort());
    expect(Object.values(internalContract).filter(({ replacement }) => replacement !== null)).toHaveLength(71);
  });

  it('deprecates no other route', () => {
    const deprecated = [...operations].flatMap(([key, operation]) => (operation.deprecated === true ? [key] : []));
    expect(deprecated.filter((key) => !(key in internalContract))).toEqual([]);
  });

  it('answers success as the contract says: status, array or object', () => {
    for (const [key, { answers }] of Object.entries(internalContract)) {
      const of = (statuses: readonly (readonly [string, string])[]) =>
        Object.fromEntries(statuses.filter(([status]) => Number(status) < 300));
      const given = Object.entries(operations.get(key)?.responses ?? {}).map(([status, answer]): [string, string] => [
        status,
        formOf(status, answer),
      ]);
      expect([key, of(given)]).toEqual([key, of(Object.entries(answers))]);
    }
  });

  it('answers failures in the forms of the contract, except as listed', () => {
    const found: string[] = [];
    for (const [key, { answers }] of Object.entries(internalContract)) {
      const { responses = {} } = operations.get(key) ?? {};
      for (const [status, form] of Object.entries(answers)) {
        if (Number(status) < 300) continue;
        const given = status in responses ? formOf(status, responses[status]) : 'never answered';
        // Wrong fields are named in Problem Details, whatever else the status may mean. A description shows no empty body beside others.
        const wanted = new Set([...form.split(' or '), ...(status === '400' && given.includes('text') ? ['problem'] : [])]);
        if (!given.split(' or ').every((one) => wanted.has(one))) found.push(`${key} ${status}: ${given} instead of ${form}`);
      }
    }
    expect(found.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });

  it('answers failures in Problem Details where the contract says nothing else', () => {
    const found = Object.entries(internalContract).flatMap(([key, { answers }]) =>
      Object.entries(operations.get(key)?.responses ?? {}).flatMap(([status, answer]) =>
        Number(status) < 300 || status in answers || formOf(status, answer) === 'problem'
          ? []
          : [`${key} ${status}: ${formOf(status, answer)}`],
      ),
    );
    expect(found).toEqual([]);
  });
});
