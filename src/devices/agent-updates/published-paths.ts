import { RuntimeId } from '#libs/contracts';

/** The dashed names of all platforms that agents with an installer of their own know. */
export const RUNTIMES = Object.values(RuntimeId.values).map((runtime) => String(RuntimeId.encode(runtime, 'json')));

/** Where the operator publishes the bundle of such an agent and its installer, below `downloads`. */
export function publishedPaths(runtime: string): { readonly bundle: string; readonly installer: string } {
  const extension = runtime.startsWith('win-') ? '.exe' : '';
  return { bundle: `${runtime}/ControlR.Agent.bundle.zip`, installer: `${runtime}/ControlR.Agent.Installer${extension}` };
}
