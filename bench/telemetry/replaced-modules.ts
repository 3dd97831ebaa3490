import type { ResolveHook } from 'node:module';

const urlOf = (path: string): string => new URL(path, import.meta.url).href;

const REQUESTS = urlOf('./switched-requests.js');
const REPLACED: ReadonlyMap<string, string> = new Map([
  [urlOf('../../src/platform/http/request-metrics.js'), REQUESTS],
  [urlOf('../../src/platform/http/request-traces.js'), REQUESTS],
  [urlOf('../../libs/signalr/src/runtime/diagnostics.js'), urlOf('./switched-diagnostics.js')],
]);

/** Lets modules whose telemetry can be switched take the place of those of the service. They import these themselves. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  const replacement = REPLACED.get(found.url);
  return replacement === undefined || replacement === context.parentURL ? found : { ...found, url: replacement };
};
