import { applyDecorators } from '@nestjs/common';

/*
 * The decorators of @nestjs/swagger store what the description of the API says of a class, a route or a field. The package is every sixth
 * module that a start would load, and most processes are never asked for their description. So these decorators wait, and are applied in
 * the order of their classes before the first description is made.
 */

type Swagger = typeof import('@nestjs/swagger');

const waiting: ((swagger: Swagger) => void)[] = [];

/** A decorator of @nestjs/swagger, which is applied before the first description is made. */
export function described(
  decorator: (swagger: Swagger) => ClassDecorator | MethodDecorator | PropertyDecorator,
): ReturnType<typeof applyDecorators> {
  return (target, key, descriptor) => beforeDescription((swagger) => applyDecorators(decorator(swagger))(target, key, descriptor));
}

/** Runs the step before the first description is made, after the steps and decorators that were handed in before it. */
export function beforeDescription(step: (swagger: Swagger) => void): void {
  waiting.push(step);
}

/** Loads @nestjs/swagger and runs the waiting steps in their order. A step that throws is dropped; those after it wait for the next call. */
export async function loadSwagger(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) step(swagger);
  return swagger;
}
