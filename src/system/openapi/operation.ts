import { applyDecorators, type Type } from '@nestjs/common';
import type { ApiResponseOptions } from '@nestjs/swagger';

import { described } from '../../platform/http/described.js';

/** A success body that is not a DTO class, with its example. */
export interface PlainBody {
  readonly mediaType: string;
  readonly schema: object;
}

type Body = Type<object> | [Type<object>] | PlainBody | null;

/** A JSON text as the whole body. */
export const jsonText = (example: string): PlainBody => ({ mediaType: 'application/json', schema: { type: 'string', example } });

/** A whole number as the whole JSON body. */
export const jsonInt32 = (example: number): PlainBody => ({
  mediaType: 'application/json',
  schema: { type: 'integer', format: 'int32', example },
});

/** Plain text. */
export const plainText = (example: string): PlainBody => ({ mediaType: 'text/plain', schema: { type: 'string', example } });

/** Bytes of a media type, without an example. */
export const bytes = (mediaType: string): PlainBody => ({ mediaType, schema: { type: 'string', format: 'binary' } });

/** Puts the routes of a controller into a group of the description (`groups.ts`). */
export function Group(name: string): ClassDecorator {
  return described(({ ApiTags }) => ApiTags(name));
}

/** Leaves the routes of a controller out of the description. */
export function NotDescribed(): ClassDecorator {
  return described(({ ApiExcludeController }) => ApiExcludeController());
}

/** Describes the body of a route that no DTO class binds. */
export function Takes(body: { readonly type: Type<object> } | { readonly schema: object }, mediaType?: string): MethodDecorator {
  const consumes = mediaType === undefined ? [] : [described(({ ApiConsumes }) => ApiConsumes(mediaType))];
  return applyDecorators(...consumes, described(({ ApiBody }) => ApiBody(body)));
}

/**
 * Describes a route: a summary in the imperative without a final full stop ("Rename a tag"), and further details for
 * callers in Markdown. Permission, tenant and caching are added from other decorators (`route-words.ts`).
 */
export function Describe(summary: string, description: string): MethodDecorator {
  return described(({ ApiOperation }) => ApiOperation({ summary, description }));
}

/**
 * Declares the answers of a route: the success status with its meaning and body (null for none), the route's own error
 * statuses with their reasons, and the headers of the success answer. Errors that follow from the access declaration
 * and the input are added (`implied-errors.ts`). A route with two success statuses uses this decorator twice.
 */
export function Answers(
  status: number,
  meaning: string,
  body: Body,
  errors: Readonly<Record<number, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): MethodDecorator {
  const declared = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]);
  return applyDecorators(
    answer({
      status,
      description: meaning,
      ...contentOf(body),
      ...(declared.length === 0 ? {} : { headers: Object.fromEntries(declared) as ApiResponseOptions['headers'] }),
    }),
    ...Object.entries(errors).map(([error, reason]) => answer({ status: Number(error), description: reason })),
  );
}

const answer = (options: ApiResponseOptions): MethodDecorator => described(({ ApiResponse }) => ApiResponse(options));

function contentOf(body: Body): ApiResponseOptions {
  if (body === null) return {};
  if (typeof body === 'object' && 'mediaType' in body) return { content: { [body.mediaType]: { schema: body.schema } } };
  return { type: body };
}
