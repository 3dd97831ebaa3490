import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProduces, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** A success body that is no DTO class. */
export type PlainBody = 'text' | 'int32' | { readonly mediaType: string };

type Body = Type<object> | [Type<object>] | PlainBody | null;

/**
 * What a route answers: its success status and body, and the error statuses of its own. The document adds those that
 * follow from the route's access declaration (400 for a tenant, 401, 403, 500).
 */
export function Answers(status: number, body: Body, errors: readonly number[] = []): MethodDecorator {
  const raw = body !== null && typeof body === 'object' && 'mediaType' in body;
  return applyDecorators(
    ApiResponse({ status, ...schemaOf(body) }),
    ...(raw ? [ApiProduces(body.mediaType)] : []),
    ...errors.map((error) => ApiResponse({ status: error })),
  );
}

function schemaOf(body: Body): ApiResponseOptions {
  if (body === null) return {};
  if (body === 'text') return { schema: { type: 'string' } };
  if (body === 'int32') return { schema: { type: 'integer', format: 'int32' } };
  if (typeof body === 'object' && 'mediaType' in body) return { schema: { type: 'string', format: 'binary' } };
  return { type: body };
}
