import { RuntimeId } from '#libs/contracts';

/** The dashed names of all platforms that agents with an installer of their own know. */
export const RUNTIMES = Object.values(RuntimeId.values).map((runtime) => String(RuntimeId.encode(runtime, 'json')));

/** Paths, below `downloads`, at which the operator publishes the bundle of such an agent and its installer. */
export function publishedPaths(runtime: string): { readonly bundle: string; readonly installer: string } {
  const extension = runtime.startsWith('win-') ? '.exe' : '';
  return { bundle: `${runtime}/ControlR.Agent.bundle.zip`, installer: `${runtime}/ControlR.Agent.Installer${extension}` };
}
