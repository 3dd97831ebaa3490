import { newId } from '../state/new-id.js';

/** Headers of the requests that make up one act. */
export type ActHeaders = Readonly<Record<'traceparent', string>>;

/** A new act: requests with these headers have the same id in the change log, which shows them as one line. */
export function newAct(): ActHeaders {
  const id = newId().replaceAll('-', '');
  return { traceparent: `00-${id}-${id.slice(0, 16)}-01` };
}
