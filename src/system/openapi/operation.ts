import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

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

/**
 * Describes a route: a summary in the imperative without a final full stop ("Rename a tag"), and further details for
 * callers in Markdown. Permission, tenant and caching are added from other decorators (`route-words.ts`).
 */
export function Describe(summary: string, description: string): MethodDecorator {
  return ApiOperation({ summary, description });
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
  const described = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]);
  return applyDecorators(
    ApiResponse({
      status,
      description: meaning,
      ...contentOf(body),
      ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) as ApiResponseOptions['headers'] }),
    }),
    ...Object.entries(errors).map(([error, reason]) => ApiResponse({ status: Number(error), description: reason })),
  );
}

function contentOf(body: Body): ApiResponseOptions {
  if (body === null) return {};
  if (typeof body === 'object' && 'mediaType' in body) return { content: { [body.mediaType]: { schema: body.schema } } };
  return { type: body };
}
