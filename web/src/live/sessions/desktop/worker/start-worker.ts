import ADDRESS from '#desktop-worker';
import type { FromWorker, ToWorker } from './messages.js';

/** The part of Trusted Types that is used here. Browsers that lack them take any text. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

/** The one policy that the service allows: it lets a page start the worker of a desktop, and nothing else. */
const policy = (window as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('desktop-worker', {
  createScriptURL(address) {
    if (address !== ADDRESS) throw new TypeError('Pages start no other worker.');
    return address;
  },
});

/** The worker of a desktop as its page sees it. */
export interface DesktopWorker {
  readonly tell: (message: ToWorker, transferred?: Transferable[]) => void;
}

/** Starts the worker of a desktop. `hear` gets what it says. */
export function startWorker(hear: (message: FromWorker) => void): DesktopWorker {
  const worker = new Worker(policy?.createScriptURL(ADDRESS) ?? ADDRESS, { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => hear(data));
  return {
    tell: (message, transferred = []) => worker.postMessage(message, transferred),
  };
}
