import { messageOf } from '../../../platform/common/errors/errors.js';
import { codeOf } from '../../../platform/common/errors/system-error.js';
import type { Edge } from '../../../platform/http/addresses/edge.js';
import type { NoAccount, NodeAccount } from '../../../system/doctor/checks/nodes.js';
import { ask } from '../../../system/doctor/probes/ask.js';
import { NOT_PROVED_TEXT } from '../bytes/internal-port.js';
import { NodeProof } from '../bytes/node-proof.js';
import { ACCOUNT_PATH } from './account-route.js';

const TIMEOUT_MS = 10_000;
const FORBIDDEN = 403;
/** Of an older release, which has no account. */
const NOT_FOUND = 404;
/** The doctor calls for nobody. */
const EDGE: Edge = { address: '127.0.0.1', isSecure: false, host: { header: 'Host', host: 'localhost' }, requestId: 'doctor' };

/** Asks a node at its internal port for its account. */
export async function accountOf(address: string, secrets: readonly string[], databaseTime: () => number): Promise<NodeAccount | NoAccount> {
  const url = new URL(ACCOUNT_PATH, `http://${address}`);
  const headers = new NodeProof(secrets, databaseTime).prove({ method: 'GET', url: ACCOUNT_PATH, edge: EDGE });
  try {
    const { status, text } = await ask({ url, headers, timeoutMs: TIMEOUT_MS });
    if (status === 200) return JSON.parse(text) as NodeAccount;
    if (status === FORBIDDEN) return { problem: 'refused', reason: 'it does not accept what this secret proves.' };
    if (status === NOT_FOUND) return { problem: 'unreachable', reason: 'it is of a release that does not answer the doctor.' };
    return { problem: 'unreachable', reason: `it answers with ${status}.` };
  } catch (error) {
    return { problem: 'unreachable', reason: messageOf(error) || (codeOf(error) ?? String(error)) };
  }
}

/** True if a request without a proof is refused at an address as an internal port refuses it. */
export async function isInternalPort(url: URL, timeoutMs: number): Promise<boolean> {
  try {
    const { status, text } = await ask({ url, timeoutMs });
    return status === FORBIDDEN && text.includes(NOT_PROVED_TEXT);
  } catch {
    return false;
  }
}
