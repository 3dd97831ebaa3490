import { SetMetadata } from '@nestjs/common';

/** Metadata key of the route that replaces a deprecated one. */
export const REPLACEMENT = Symbol('replacement');

/**
 * Deprecates a route in favour of another one: its path with its query, after its verb if that differs. Only the description says so;
 * the route stays what it is.
 */
export function ReplacedBy(route: string): MethodDecorator {
  return SetMetadata(REPLACEMENT, route);
}
