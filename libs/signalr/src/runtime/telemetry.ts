import { createRequire } from 'node:module';

/** The API of `@opentelemetry/api`. */
export type Telemetry = typeof import('@opentelemetry/api');

const API = '@opentelemetry/api';

/** The API of OpenTelemetry. Undefined in a program that has not installed it. */
export const telemetry: Telemetry | undefined = load();

/** Hubs are added synchronously, so the module is required and not imported. It is the same one that others import. */
function load(): Telemetry | undefined {
  try {
    const api: Telemetry = createRequire(import.meta.url)(API);
    return api;
  } catch (error) {
    if (isNotInstalled(error)) return undefined;
    throw error;
  }
}

function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${API}'`);
}
