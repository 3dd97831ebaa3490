import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../../access/authorization/access-declarations.js';
import { challengeOf } from '../../platform/http/problems/problem-details.js';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

const EXAMPLE_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** Adds the headers that callers read: `Location` of created things, and `WWW-Authenticate`. */
export function withHeaders(responses: Responses, { location }: DeclaredRoute): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (status === '201' && location !== null) return [status, { ...response, headers: { ...headersOf(response), Location: locationHeader(location) } }];
      if (status === '401') return [status, { ...response, headers: { 'WWW-Authenticate': CHALLENGE_HEADER } }];
      return [status, response];
    }),
  ) as Responses;
}

function headersOf(response: Responses[string]): object {
  return response !== undefined && 'headers' in response ? (response.headers ?? {}) : {};
}

const CHALLENGE_HEADER = {
  description: 'How to authenticate: one entry for each header that may carry a credential.',
  schema: { type: 'string' },
  example: challengeOf({ isBearerEnabled: false }),
};

function locationHeader(template: string): object {
  return {
    description: 'Where the new thing is read, relative to the service.',
    schema: { type: 'string', format: 'uri-reference' },
    example: template.replaceAll(/\{\w+\}/g, EXAMPLE_ID),
  };
}
