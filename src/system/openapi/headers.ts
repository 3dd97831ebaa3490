import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import { IF_MATCH } from '../../platform/http/bodies/entity-tags.js';
import { challengeOf } from '../../platform/http/problems/problem-details.js';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

const EXAMPLE_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

const EXAMPLE_TAG = '"kzQ4mVt2Yw0e7Xb1uR9sLg"';

/** The parameter of changes that take the tag of the state that they change. */
export const IF_MATCH_PARAMETER = {
  name: IF_MATCH,
  in: 'header' as const,
  required: false,
  description: 'The `ETag` of what the caller has read. If it was changed since, nothing happens and the answer is 412.',
  schema: { type: 'string' as const, examples: [EXAMPLE_TAG] },
};

/** Adds the headers that callers read: `Location` of created things, `ETag` of things that can be changed, and `WWW-Authenticate`. */
export function withHeaders(responses: Responses, { location, taggedState }: DeclaredRoute): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const added = {
        ...(status === '201' && location !== null ? { Location: locationHeader(location) } : {}),
        ...(isTagged(status, taggedState) ? { ETag: ENTITY_TAG_HEADER } : {}),
        ...(status === '401' ? { 'WWW-Authenticate': CHALLENGE_HEADER } : {}),
      };
      return [status, Object.keys(added).length === 0 ? response : { ...response, headers: { ...headersOf(response), ...added } }];
    }),
  ) as Responses;
}

/** Checks that an answer carries a tag. One without a body does where a missing state has a tag, too. */
function isTagged(status: string, state: DeclaredRoute['taggedState']): boolean {
  return state !== null && Number(status) < 300 && (status !== '204' || state.tagOf(null) !== null);
}

function headersOf(response: Responses[string]): object {
  return response !== undefined && 'headers' in response ? (response.headers ?? {}) : {};
}

const ENTITY_TAG_HEADER = {
  description: `The tag of what people can change here. Send it as \`${IF_MATCH}\` with a change that must not overwrite another one.`,
  schema: { type: 'string' },
  example: EXAMPLE_TAG,
};

const CHALLENGE_HEADER = {
  description: 'Ways to authenticate, one entry for each header that may carry a credential.',
  schema: { type: 'string' },
  example: challengeOf({ isBearerEnabled: false }),
};

function locationHeader(template: string): object {
  return {
    description: 'Address of the new object, relative to the service.',
    schema: { type: 'string', format: 'uri-reference' },
    example: template.replaceAll(/\{\w+\}/g, EXAMPLE_ID),
  };
}
