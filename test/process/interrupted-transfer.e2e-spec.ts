import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Agent } from '../../agent/src/agent.js';
import { dataDirectory } from '../../agent/src/data-directory.js';
import type { Log } from '../../agent/src/logs/log.js';
import { install } from '../../agent/src/service/installation.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine } from '../support/processes/service-process.js';

const UPLOADERS = 3;
const UPLOAD_BYTES = 1024 * 1024;
/** Size far beyond the bytes that a test can read, so that the download is certainly in progress. The file is sparse. */
const LARGE_BYTES = 64 * 1024 ** 3;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let machine: Machine;
let agent: Agent | undefined;
let uploading: AbortController;

beforeEach(async () => {
  uploading = new AbortController();
  machine = await Machine.afterFirstStart();
});

afterEach(async () => {
  uploading.abort();
  await agent?.stop();
  await machine.close();
});

it('a crash of the service during transfers leaves no partial file and no short answer that looks complete', async () => {
  const { program, url } = await machine.start({ Service_AppOptions__MaxFileTransferSize: '0' });
  const { tenantId, keyId, keySecret } = await enrol(machine.client({ url }));
  const directory = dataDirectory(join(machine.folder, 'agent'));
  const { deviceId } = await install({ serverUri: url, tenantId, installerKey: { id: keyId, secret: keySecret } }, directory, SILENT);
  agent = await Agent.start({ directory, log: SILENT, reconnectJitterSeconds: 0 });
  await eventually('the device is online', async () => {
    const device = await machine.client({ url }).get(`/api/v1/devices/${deviceId}`);
    return device.as<{ isOnline: boolean }>().isOnline;
  });
  const shared = join(machine.folder, 'shared');
  await mkdir(shared);
  const large = join(machine.folder, 'large.bin');
  await writeFile(large, '');
  await truncate(large, LARGE_BYTES);

  const headers = { 'x-api-key': machine.account.key };
  const answered = new Map<string, string>();
  const uploadAgain = async (uploader: number): Promise<void> => {
    for (let number = 0; !uploading.signal.aborted; number += 1) {
      const name = `upload-${uploader}-${number}.bin`;
      const content = randomBytes(UPLOAD_BYTES);
      const body = new FormData();
      body.set('targetSaveDirectory', shared);
      body.set('file', new Blob([content]), name);
      const address = `${url}/api/v1/device-file-system/upload/${deviceId}?tenantId=${tenantId}`;
      // Uploads without an answer may be lost.
      const status = await fetch(address, { method: 'POST', headers, body }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) answered.set(name, sha256(content));
    }
  };
  const uploads = Array.from({ length: UPLOADERS }, (_, uploader) => uploadAgain(uploader));
  const query = new URLSearchParams({ tenantId, filePath: large });
  const download = await fetch(`${url}/api/v1/device-file-system/download/${deviceId}?${query.toString()}`, { headers });
  expect(download.status).toBe(200);
  // Read continuously: a download that waits for its reader would block the other streams of its device.
  const whole = readToEnd(download);
  whole.catch(() => undefined);
  await eventually('uploads are answered', () => answered.size >= 2 * UPLOADERS);

  await program.kill();
  uploading.abort();
  await Promise.all(uploads);

  await expect(whole).rejects.toThrow('terminated');
  await eventually('unfinished files are gone', async () => (await readdir(shared)).every(isUpload));
  const stored = new Map<string, Buffer>();
  // The agent may begin an upload now that it was asked for before the crash, and remove its unfinished file again.
  for (const name of (await readdir(shared)).filter(isUpload)) stored.set(name, await readFile(join(shared, name)));
  for (const [name, hash] of answered) expect(sha256(stored.get(name) ?? Buffer.alloc(0))).toBe(hash);
  expect([...stored.values()].filter(({ length }) => length !== UPLOAD_BYTES)).toEqual([]);
});

/** True for the name of an upload, false for that of a file that is not complete. */
const isUpload = (name: string): boolean => /^upload-\d+-\d+\.bin$/.test(name);

/** Reads a body without keeping it; settles when the body has ended. */
async function readToEnd({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream());
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
