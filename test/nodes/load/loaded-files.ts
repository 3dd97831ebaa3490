import { randomBytes } from 'node:crypto';

import { digestOf, type LoadedDevice } from './loaded-device.js';
import { type LoadedNodes, sha256 } from './loaded-nodes.js';

const UPLOAD_BYTES = 192 * 1024;
const BASE = '/api/v1/device-file-system';

/** Uploads to a device and downloads from it, with the digests of what was acknowledged. */
export class LoadedFiles {
  private readonly uploaded = new Map<string, string>();
  private readonly broken: string[] = [];

  constructor(
    private readonly nodes: LoadedNodes,
    private readonly device: LoadedDevice,
  ) {}

  /** Uploads a file. True if it was acknowledged. */
  async upload(number: number): Promise<boolean> {
    const name = `file ${number}`;
    const bytes = randomBytes(UPLOAD_BYTES);
    const form = new FormData();
    form.set('targetSaveDirectory', '/target');
    form.set('file', new Blob([bytes]), name);
    const response = await this.fetch(`upload/${this.device.id}`, {}, { method: 'POST', body: form });
    await response.arrayBuffer();
    if (response.status === 200) this.uploaded.set(name, sha256(bytes));
    return response.status === 200;
  }

  /** Downloads a file. True if it came whole. */
  async download(number: number): Promise<boolean> {
    const filePath = `/file-${number}`;
    const response = await this.fetch(`download/${this.device.id}`, { filePath });
    // A body that breaks off throws here.
    const bytes = await response.arrayBuffer();
    if (response.status !== 200) return false;
    if (sha256(new Uint8Array(bytes)) !== digestOf(filePath)) this.broken.push(`${filePath} came with ${bytes.byteLength} wrong bytes`);
    return true;
  }

  faults(): string[] {
    const { files } = this.device;
    const lost = [...this.uploaded].filter(([name, digest]) => files.get(name)?.includes(digest) !== true);
    const repeated = [...files].filter(([, digests]) => digests.length > 1);
    return [
      ...lost.map(([name]) => `${name} was acknowledged and is lost`),
      ...repeated.map(([name]) => `${name} has come twice`),
      ...this.broken,
    ];
  }

  private fetch(path: string, query: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    const { headers, enrolment } = this.nodes;
    const url = new URL(`${BASE}/${path}`, this.nodes.next());
    url.search = new URLSearchParams({ tenantId: enrolment.tenantId, ...query }).toString();
    return fetch(url, { ...init, headers });
  }
}
