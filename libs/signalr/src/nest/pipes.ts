import { type ArgumentMetadata, HttpException, type PipeTransform } from '@nestjs/common';
import { PARAMTYPES_METADATA, PIPES_METADATA } from '@nestjs/common/constants.js';
import type { HubParameter } from './decorators.js';
import { declaredFor, type Enhanced, resolve } from './enhanced.js';
import { markAsRefusal } from './nest-error.js';

/** Errors from this status on are faults of the server. */
const SERVER_ERRORS = 500;

interface PipedParameter {
  readonly pipes: readonly PipeTransform[];
  readonly metadata: ArgumentMetadata;
}

/** The pipes that run on the parameters of a method. */
export type ParameterPipes = ReadonlyMap<HubParameter, PipedParameter>;

/**
 * The pipes of a gateway, a method and its parameters, in this order. Undefined when there are none.
 * @throws Error when a method has pipes but takes the whole call, on which they could not run
 */
export function pipesOf(enhanced: Enhanced, parameters: readonly HubParameter[]): ParameterPipes | undefined {
  const { gateway, name, method } = enhanced;
  const shared = declaredFor<PipeTransform>(enhanced, PIPES_METADATA).map((pipe) => resolve(enhanced, pipe, 'transform'));
  const types: readonly ArgumentMetadata['metatype'][] = Reflect.getMetadata(PARAMTYPES_METADATA, gateway.prototype, name) ?? [];
  if (shared.length > 0 && parameters.length === 0 && method.length + types.length > 0) {
    throw new Error(`${gateway.name}.${name} has pipes but no decorated parameters: take what they should see with @Argument.`);
  }
  const piped = new Map<HubParameter, PipedParameter>();
  for (const parameter of parameters) {
    if (parameter.pipes === undefined) continue;
    const pipes = [...shared, ...parameter.pipes.map((pipe) => resolve(enhanced, pipe, 'transform'))];
    const isArgument = parameter.argument !== undefined;
    const metadata: ArgumentMetadata = {
      type: isArgument ? 'body' : 'custom',
      metatype: types[parameter.position],
      data: isArgument ? String(parameter.argument) : undefined,
    };
    if (pipes.length > 0) piped.set(parameter, { pipes, metadata });
  }
  return piped.size === 0 ? undefined : piped;
}

/** Runs the pipes of a parameter on its value, one after the other. */
export async function applyPipes(pipes: ParameterPipes, parameter: HubParameter, value: unknown): Promise<unknown> {
  const piped = pipes.get(parameter);
  if (piped === undefined) return value;
  try {
    let result = value;
    for (const pipe of piped.pipes) result = await pipe.transform(result, piped.metadata);
    return result;
  } catch (error) {
    if (error instanceof HttpException && error.getStatus() < SERVER_ERRORS) markAsRefusal(error);
    throw error;
  }
}
