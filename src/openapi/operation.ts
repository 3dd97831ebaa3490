import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** A success body that is no DTO class, with the example that the reference shows. */
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

/** Bytes of a media type; they have no example. */
export const bytes = (mediaType: string): PlainBody => ({ mediaType, schema: { type: 'string', format: 'binary' } });

/**
 * What a route does: a summary in the imperative without a dot at its end ("Rename a tag"), and what a caller should know beyond it, in
 * Markdown. Permission, tenant rule and caching follow from other decorators and are added to the text (`route-words.ts`).
 */
export function Describe(summary: string, description: string): MethodDecorator {
  return ApiOperation({ summary, description });
}

/**
 * What a route answers: its success status, what that means, its body (null for none), the error statuses of its own with the reason for
 * each, and what the headers of the success answer hold. The document adds the errors that follow from the route's access declaration and
 * input (`implied-errors.ts`). A route with two success statuses has two of these.
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
