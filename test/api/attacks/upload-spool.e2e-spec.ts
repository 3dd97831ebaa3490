import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { ROOT_KEY, type TestApp } from '../../support/application/app.js';
import { createKeyedDevice, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';

/*
 * Uploads whose file comes before its target wait in the data folder of the server, where the bundled PostgreSQL lives. Callers send
 * many of them, never end them, and so fill the disk. Waiting bytes are bounded in all and for each caller, and a reserve stays free.
 */

const MEBIBYTE = 1024 * 1024;
const OF_A_CALLER = 2 * MEBIBYTE;
/** A tenant alone may have seven eighths of it. */
const IN_ALL = 3 * MEBIBYTE;
const PIECE = 1.25 * MEBIBYTE;
/** Bytes of a piece that are on the disk for sure: the parser of the form holds its end back. */
const ALMOST_A_PIECE = MEBIBYTE;

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly detail: unknown;
}

/** An upload whose file comes before everything else, in the hands of the test. */
class Upload {
  readonly answer: Promise<Answer>;
  private readonly sending: ClientRequest;

  constructor(
    server: TestApp,
    private readonly target: Target,
    key: string,
  ) {
    const { device } = target;
    const url = new URL(`/api/v1/device-file-system/upload/${device.id}?tenantId=${device.tenantId}`, server.url);
    this.sending = request(url, { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=b' } });
    this.answer = once(this.sending, 'response').then(([response]) => answerOf(response as IncomingMessage));
    // One that is cut off has no answer, which no test waits for.
    this.answer.catch(() => undefined);
    this.sending.on('error', () => undefined);
    this.sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="f.bin"\r\n\r\n');
  }

  send(bytes: number): this {
    this.sending.write(Buffer.alloc(bytes));
    return this;
  }

  end(): this {
    const fields = [
      ['targetSaveDirectory', this.target.folder],
      ['overwrite', 'true'],
    ];
    const parts = fields.map(([name, value]) => `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`);
    this.sending.end(`${parts.join('')}\r\n--b--\r\n`);
    return this;
  }

  stop(): Promise<unknown> {
    const closed = this.sending.closed ? null : new Promise((resolve) => this.sending.once('close', resolve));
    this.sending.destroy();
    return Promise.resolve(closed);
  }
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const { detail } = JSON.parse(text) as { readonly detail?: unknown };
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], detail };
}

async function keyOfUploader(server: TestApp, device: KeyedDevice): Promise<string> {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: device.tenantId });
  const scope = at.tenant({ id: device.tenantId });
  await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceFileSystemTransferUpload, scope });
  return key;
}

/** A device with an agent that takes files into a folder of its own. */
class Target {
  constructor(
    private readonly server: TestApp,
    readonly device: KeyedDevice,
    readonly folder: string,
  ) {}

  static async make(server: TestApp): Promise<Target> {
    const device = await createKeyedDevice(server, await createTenant(server));
    server.alsoStop(await ReferenceAgent.start(server, device));
    const folder = await mkdtemp(join(tmpdir(), 'spool-'));
    server.alsoStop({ stop: () => rm(folder, { recursive: true, force: true }) });
    return new Target(server, device, folder);
  }

  upload(key: string): Upload {
    return new Upload(this.server, this, key);
  }

  /** Settles when so many bytes wait on the server. */
  async waiting(bytes: number): Promise<void> {
    const folder = join(this.server.dataPath, 'uploads');
    await eventually(`${bytes} bytes wait on the server`, async () => {
      const files = await readdir(folder).catch(() => []);
      const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file)).catch(() => ({ size: 0 }))).size));
      return sizes.reduce((sum, size) => sum + size, 0) >= bytes;
    });
  }
}

describe('uploads that wait on the server', () => {
  const server = testServer({
    Service_AppOptions__UploadSpoolSize: String(IN_ALL),
    Service_AppOptions__UploadSpoolSizePerCaller: String(OF_A_CALLER),
    Service_AppOptions__UploadSpoolReserve: '0',
  });
  const stopAfterTest = stopAfterEach();
  let target: Target;
  let callers: string[];

  beforeAll(async () => {
    target = await Target.make(server);
    callers = [];
    for (let count = 0; count < 3; count += 1) callers.push(await keyOfUploader(server, target.device));
  });

  const begin = (key: string): Upload => stopAfterTest(target.upload(key));

  it('take no more than the share of their caller, and leave room for others', async () => {
    begin(callers[0]).send(PIECE);
    await target.waiting(ALMOST_A_PIECE);
    const second = await begin(callers[0]).send(PIECE).answer;
    expect(second).toMatchObject({ status: 503, retryAfter: '10', detail: expect.stringMatching(/^Your running uploads/) });
    expect(await begin(callers[1]).send(PIECE).end().answer).toMatchObject({ status: 200 });
  });

  it('take no more than all may, and make room when they end', async () => {
    const first = begin(callers[0]).send(PIECE);
    await target.waiting(ALMOST_A_PIECE);
    begin(callers[1]).send(PIECE);
    await target.waiting(2 * ALMOST_A_PIECE);
    const third = await begin(callers[2]).send(PIECE).answer;
    expect(third).toMatchObject({
      status: 503,
      retryAfter: '10',
      detail: expect.stringMatching(/^Running uploads fill the space that your tenant has/),
    });
    await first.stop();
    await eventually('there is room again', async () => (await begin(callers[2]).send(PIECE).end().answer).status === 200);
  });

  it('take no more than half beside those of another tenant, however many callers there are', async () => {
    const foreign = await Target.make(server);
    begin(callers[0]).send(PIECE);
    await target.waiting(ALMOST_A_PIECE);
    const others = stopAfterTest(foreign.upload(await keyOfUploader(server, foreign.device))).send(PIECE);
    await target.waiting(2 * ALMOST_A_PIECE);
    expect(await begin(callers[1]).send(PIECE).answer).toMatchObject({ status: 503, detail: expect.stringMatching(/your tenant/) });
    expect(await others.end().answer).toMatchObject({ status: 200 });
  });

  it('keep no file open when the device refuses them', async () => {
    const nowhere = new Target(server, target.device, join(target.folder, 'missing', '\u0001'));
    const openFiles = async (): Promise<string[]> => {
      const targets = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.filter((path) => path.startsWith(join(server.dataPath, 'uploads')));
    };
    for (let count = 0; count < 10; count += 1) {
      const { status } = await stopAfterTest(nowhere.upload(callers[0])).send(PIECE).end().answer;
      expect(status).toBeGreaterThanOrEqual(400);
    }
    await eventually('every file is closed', async () => (await openFiles()).length === 0);
  });

  it('are too large when no share could ever hold them', async () => {
    expect(await begin(callers[0]).send(OF_A_CALLER + 1).answer).toMatchObject({ status: 413 });
  });
});

describe('a disk that is nearly full', () => {
  const server = testServer({ Service_AppOptions__UploadSpoolReserve: String(2 ** 50) });
  const stopAfterTest = stopAfterEach();

  it('takes no upload that would have to wait; others pass', async () => {
    const target = await Target.make(server);
    const waiting = await stopAfterTest(target.upload(ROOT_KEY)).send(PIECE).answer;
    expect(waiting).toMatchObject({
      status: 503,
      retryAfter: '10',
      detail: expect.stringMatching(/^The disk of the server is nearly full/),
    });
    const form = new FormData();
    form.append('targetSaveDirectory', target.folder);
    form.append('file', new Blob(['text']), 'passes.txt');
    const url = new URL(`/api/v1/device-file-system/upload/${target.device.id}?tenantId=${target.device.tenantId}`, server.url);
    expect((await fetch(url, { method: 'POST', headers: { 'x-api-key': ROOT_KEY }, body: form })).status).toBe(200);
  });
});
