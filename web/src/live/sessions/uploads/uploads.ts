import { hooks, proofFor, refusal } from '../../../api/client.js';
import { ProblemError } from '../../../problem/problem.js';
import { newId } from '../../../state/new-id.js';
import { addSession, currentSessions, removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { nextQueued, progressOf, type UploadStatus } from './upload-queue.js';
import { t } from './texts.js';

const OPERATION = '/api/v1/device-file-system/upload/{deviceId}';
/** Files on their way to a device at once. More would only share the same line. */
const AT_ONCE = 2;

/** A file on its way to a device. */
export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly name: string;
  readonly directory: string;
  readonly overwrite: boolean;
  status: UploadStatus;
  /** Bytes that have left. */
  sent: number;
  readonly size: number;
  startedAt: number;
  problem?: ProblemError;
}

export type UploadRequest = Pick<Upload, 'file' | 'name' | 'directory' | 'overwrite'>;

/** The files on their way to one device. The dock shows them as one session. */
export class Uploads implements Session {
  readonly id = newId();
  readonly kind = 'transfer';
  private items: readonly Upload[] = [];
  private readonly requests = new Map<string, XMLHttpRequest>();

  constructor(
    readonly deviceId: string,
    readonly deviceName: string,
    /** Called with the folder whenever a file has arrived. */
    private readonly onArrived: (directory: string) => void,
  ) {}

  get uploads(): readonly Upload[] {
    return this.items;
  }

  get label(): string {
    const [only] = this.items;
    const isDone = this.state === 'done';
    if (this.items.length === 1 && only !== undefined) return only.name;
    return t(isDone ? 'uploaded' : 'uploading', { count: this.items.length });
  }

  get href(): string {
    return `/devices/${this.deviceId}/files?path=${encodeURIComponent(this.items.at(-1)?.directory ?? '')}`;
  }

  get state(): SessionState {
    if (this.items.some(({ status }) => status === 'queued' || status === 'running')) return 'running';
    return this.items.some(({ status }) => status === 'failed') ? 'failed' : 'done';
  }

  get progress(): number {
    return progressOf(this.items);
  }

  add(requests: readonly UploadRequest[]): void {
    const added = requests.map<Upload>((request) => ({
      ...request,
      id: newId(),
      status: 'queued',
      sent: 0,
      size: request.file.size,
      startedAt: 0,
    }));
    this.items = [...this.items, ...added];
    this.next();
  }

  cancel(upload: Upload): void {
    this.requests.get(upload.id)?.abort();
    this.become(upload, 'canceled');
  }

  retry(upload: Upload): void {
    upload.sent = 0;
    upload.problem = undefined;
    this.become(upload, 'queued');
  }

  /** Removes finished uploads from the list. */
  clear(): void {
    this.items = this.items.filter(({ status }) => status === 'queued' || status === 'running');
    if (this.items.length === 0) removeSession(this);
    else sessionChanged();
  }

  end = (): void => {
    const ended = this.items;
    // Without those that wait: none of them is to begin because another one has ended.
    this.items = [];
    for (const upload of ended) if (upload.status === 'running') this.cancel(upload);
    removeSession(this);
  };

  private become(upload: Upload, status: UploadStatus): void {
    upload.status = status;
    this.next();
  }

  private next(): void {
    for (let upload = nextQueued(this.items, AT_ONCE); upload !== undefined; upload = nextQueued(this.items, AT_ONCE)) this.start(upload);
    sessionChanged();
  }

  /**
   * By XMLHttpRequest: `fetch` does not tell the number of sent bytes. The fields stand before the file, so that its bytes need not wait.
   */
  private start(upload: Upload): void {
    upload.status = 'running';
    upload.startedAt = Date.now();
    const body = new FormData();
    body.append('targetSaveDirectory', upload.directory);
    body.append('overwrite', String(upload.overwrite));
    body.append('file', upload.file, upload.name);
    const url = new URL(OPERATION.replace('{deviceId}', this.deviceId), location.origin);
    if (hooks.tenantId !== null) url.searchParams.set('tenantId', hooks.tenantId);
    const request = new XMLHttpRequest();
    this.requests.set(upload.id, request);
    request.upload.addEventListener('progress', ({ loaded }) => {
      upload.sent = Math.min(upload.size, loaded);
      sessionChanged();
    });
    const since = hooks.signIns;
    request.addEventListener('loadend', () => {
      this.requests.delete(upload.id);
      if (upload.status === 'running') void this.finish(upload, request, since);
    });
    request.open('POST', url);
    request.send(body);
  }

  /** `since` is the number of sign-ins at the beginning of the request. */
  private async finish(upload: Upload, request: XMLHttpRequest, since: number): Promise<void> {
    if (request.status >= 200 && request.status < 300) {
      upload.sent = upload.size;
      this.become(upload, 'done');
      this.onArrived(upload.directory);
      return;
    }
    if (request.status === 0) return this.fail(upload, new ProblemError(0, { title: 'The line broke off.' }));
    const answer = new Response(request.responseText, { status: request.status, headers: headersOf(request) });
    const prove = await proofFor(answer, OPERATION);
    const isProven = await prove?.(since).then(
      () => true,
      () => false,
    );
    if (isProven !== true) return this.fail(upload, await refusal(answer, `POST ${OPERATION}`, { deviceId: this.deviceId }));
    // It may have been canceled while the user was asked.
    if (upload.status !== 'running') return;
    upload.sent = 0;
    this.start(upload);
    sessionChanged();
  }

  private fail(upload: Upload, problem: ProblemError): void {
    if (upload.status !== 'running') return;
    upload.problem = problem;
    this.become(upload, 'failed');
  }
}

const headersOf = (request: XMLHttpRequest): Headers =>
  new Headers({
    'content-type': request.getResponseHeader('content-type') ?? '',
    'retry-after': request.getResponseHeader('retry-after') ?? '',
  });

/** The files on their way to a device; undefined while there are none. */
export const uploadsTo = (deviceId: string): Uploads | undefined =>
  currentSessions().find((session): session is Uploads => session instanceof Uploads && session.deviceId === deviceId);

/** Puts files into the queue of a device. */
export function startUploads(
  device: { readonly id: string; readonly name: string },
  requests: readonly UploadRequest[],
  onArrived: (directory: string) => void,
): void {
  if (requests.length === 0) return;
  let uploads = uploadsTo(device.id);
  if (uploads === undefined) {
    uploads = new Uploads(device.id, device.name, onArrived);
    addSession(uploads);
  }
  uploads.add(requests);
}
