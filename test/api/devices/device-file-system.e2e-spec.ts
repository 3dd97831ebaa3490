import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubValue } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ApiAnswer, ApiCall } from '../../support/application/api-client.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';

/* Every route of the device file system against the reference agent, which works on the real file system. */

const BASE = '/api/v1/device-file-system';
const MEBIBYTE = 1024 * 1024;
const LIMIT = 80 * MEBIBYTE;

const server = testServer({ Service_AppOptions__MaxFileTransferSize: String(LIMIT) });
const keep = stopAfterEach();
let device: KeyedDevice;
let offline: KeyedDevice;
let agent: ReferenceAgent;
let root: string;
let folder: string;

beforeAll(async () => {
  const tenant = await createTenant(server);
  device = await createKeyedDevice(server, tenant);
  offline = await createKeyedDevice(server, tenant);
  agent = server.alsoStop(await ReferenceAgent.start(server, device));
  root = await mkdtemp(join(tmpdir(), 'device-files-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'case-'));
});

function call(method: string, path: string, { query, ...rest }: ApiCall = {}, key = ROOT_KEY): Promise<ApiAnswer> {
  return server.client({ 'x-api-key': key }).call(method, `${BASE}/${path}`, { ...rest, query: { tenantId: device.tenantId, ...query } });
}

function fetchRaw(path: string, query: Record<string, string>, init: RequestInit = {}): Promise<Response> {
  const url = new URL(`${BASE}/${path}`, server.url);
  url.search = new URLSearchParams({ tenantId: device.tenantId, ...query }).toString();
  return fetch(url, { ...init, headers: { 'x-api-key': ROOT_KEY, ...init.headers } });
}

const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());
const detailOf = ({ body }: ApiAnswer): string | undefined => (body as ProblemDetails).detail;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('listings', () => {
  it('shows the contents of a directory: files first, then directories, each by name', async () => {
    await mkdir(join(folder, 'sub'));
    await mkdir(join(folder, 'sub', 'inner'));
    await writeFile(join(folder, 'b.txt'), 'bb');
    await writeFile(join(folder, 'a "quoted" ü.txt'), 'a');
    const answer = await call('POST', 'contents', { body: { deviceId: device.id, directoryPath: folder } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const entry = { isHidden: false, canRead: true, canWrite: true, lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*[+Z-]/) };
    expect(answer.body).toEqual({
      directoryExists: true,
      items: [
        {
          ...entry,
          name: 'a "quoted" ü.txt',
          fullPath: join(folder, 'a "quoted" ü.txt'),
          isDirectory: false,
          size: 1,
          hasSubfolders: false,
        },
        { ...entry, name: 'b.txt', fullPath: join(folder, 'b.txt'), isDirectory: false, size: 2, hasSubfolders: false },
        { ...entry, name: 'sub', fullPath: join(folder, 'sub'), isDirectory: true, size: 0, hasSubfolders: true },
      ],
    });
    const subdirectories = await call('POST', 'subdirectories', { body: { deviceId: device.id, directoryPath: folder } });
    expect(subdirectories.status).toBe(200);
    expect(subdirectories.body).toEqual({ subdirectories: [expect.objectContaining({ name: 'sub', isDirectory: true })] });
  });

  it('tells a missing directory from an empty one', async () => {
    const missing = await call('POST', 'contents', { body: { deviceId: device.id, directoryPath: join(folder, 'none') } });
    expect([missing.status, missing.body]).toEqual([200, { directoryExists: false, items: [] }]);
    const empty = await call('POST', 'contents', { body: { deviceId: device.id, directoryPath: folder } });
    expect([empty.status, empty.body]).toEqual([200, { directoryExists: true, items: [] }]);
    const noneBelow = await call('POST', 'subdirectories', { body: { deviceId: device.id, directoryPath: folder } });
    expect([noneBelow.status, noneBelow.body]).toEqual([200, { subdirectories: [] }]);
  });

  it('passes on all entries of a directory of thousands, in order', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `file-${String(index).padStart(5, '0')}`);
    await Promise.all(names.map((name) => writeFile(join(folder, name), '')));
    const headers = { 'accept-encoding': 'gzip, br' };
    const answer = await call('POST', 'contents', { headers, body: { deviceId: device.id, directoryPath: folder } });
    expect(answer.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
    expect(answer.as<{ items: { name: string }[] }>().items.map(({ name }) => name)).toEqual(names);
  });

  it('refuses an invalid path', async () => {
    const answer = await call('POST', 'contents', { body: { deviceId: device.id, directoryPath: 'relative' } });
    expect([answer.status, detailOf(answer)]).toEqual([400, 'The path must be absolute.']);
  });

  it('shows the root drives', async () => {
    const answer = await call('POST', 'root-drives', { body: { deviceId: device.id } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      drives: expect.arrayContaining([expect.objectContaining({ fullPath: '/', isDirectory: true, size: 0 })]),
    });
  });
});

describe('paths', () => {
  it('splits a path, also a missing or unreadable one', async () => {
    const known = await call('POST', 'path-segments', { body: { deviceId: device.id, targetPath: '/usr/lib' } });
    expect([known.status, known.body]).toEqual([
      200,
      { success: true, errorMessage: null, pathExists: true, pathSegments: ['/', 'usr', 'lib'], pathSeparator: '/' },
    ]);
    const missing = await call('POST', 'path-segments', { body: { deviceId: device.id, targetPath: join(folder, 'none') } });
    expect(missing.body).toMatchObject({ success: true, pathExists: false });
    const bad = await call('POST', 'path-segments', { body: { deviceId: device.id, targetPath: '' } });
    expect([bad.status, bad.body]).toEqual([200, expect.objectContaining({ success: false, errorMessage: 'The path must be absolute.' })]);
  });

  it('validates the path of a new file', async () => {
    const validate = (directoryPath: string, fileName: string) =>
      call('POST', `validate-path/${device.id}`, { body: { directoryPath, fileName } });
    expect(await validate(folder, 'new.txt')).toMatchObject({ status: 200, body: { isValid: true, errorMessage: '' } });
    await writeFile(join(folder, 'old.txt'), '');
    expect(await validate(folder, 'old.txt')).toMatchObject({
      status: 200,
      body: { isValid: false, errorMessage: expect.stringContaining('exists') },
    });
    expect(await validate(folder, ' ')).toMatchObject({ status: 400, body: { errors: { fileName: ['fileName must not be blank.'] } } });
    expect(await validate('', 'x')).toMatchObject({ status: 400, body: { errors: { directoryPath: [expect.any(String)] } } });
  });

  it('creates a directory, but not twice', async () => {
    const create = (parentPath: string) => call('POST', `create-directory/${device.id}`, { body: { parentPath, directoryName: 'made' } });
    const created = await create(folder);
    expect([created.status, created.text]).toEqual([204, '']);
    expect((await stat(join(folder, 'made'))).isDirectory()).toBe(true);
    expect((await create(folder)).status).toBe(400);
    expect((await create(join(folder, 'nowhere'))).status).toBe(404);
  });

  it('deletes a file and a whole directory, and answers 404 for a missing path', async () => {
    await mkdir(join(folder, 'tree', 'deep'), { recursive: true });
    await writeFile(join(folder, 'tree', 'deep', 'file'), '');
    const remove = (filePath: string) => call('DELETE', `delete-path/${device.id}`, { body: { filePath } });
    const removed = await remove(join(folder, 'tree'));
    expect([removed.status, removed.body]).toEqual([200, { message: expect.any(String), filePath: join(folder, 'tree') }]);
    expect(await readdir(folder)).toEqual([]);
    expect((await remove(join(folder, 'tree'))).status).toBe(404);
    expect((await remove('/')).status).toBe(400);
    expect((await remove('  ')).status).toBe(400);
  });
});

describe('downloads', () => {
  it('sends a file with its length, its name and its bytes', async () => {
    const bytes = randomBytes(100_001);
    await writeFile(join(folder, 'daten "ü".bin'), bytes);
    const response = await fetchRaw(`download/${device.id}`, { filePath: join(folder, 'daten "ü".bin') });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '100001',
      'content-disposition': `attachment; filename="daten ___.bin"; filename*=UTF-8''daten%20%22%C3%BC%22.bin`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(sha256(await bytesOf(response))).toBe(sha256(bytes));
  });

  it('sends an empty file, and only the headers for HEAD', async () => {
    await writeFile(join(folder, 'empty'), '');
    const empty = await fetchRaw(`download/${device.id}`, { filePath: join(folder, 'empty') });
    expect([empty.status, empty.headers.get('content-length'), await empty.text()]).toEqual([200, '0', '']);
    await writeFile(join(folder, 'some'), 'some');
    const head = await fetchRaw(`download/${device.id}`, { filePath: join(folder, 'some') }, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', '']);
  });

  it('sends directories and selections of paths as zip', async () => {
    await mkdir(join(folder, 'pack'));
    await writeFile(join(folder, 'pack', 'one.txt'), 'one');
    const directory = await fetchRaw(`download/${device.id}`, { filePath: join(folder, 'pack') });
    expect(directory.headers.get('content-disposition')).toBe('attachment; filename="pack.zip"');
    expect(
      Buffer.from(await bytesOf(directory))
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    const body = JSON.stringify({ archiveFileName: 'choice', targetPaths: [join(folder, 'pack'), join(folder, 'pack', 'one.txt')] });
    const archive = await fetchRaw(
      `download-archive/${device.id}`,
      {},
      { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    );
    expect([archive.status, archive.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="choice.zip"']);
    const zip = Buffer.from(await bytesOf(archive));
    expect(zip.length).toBe(Number(archive.headers.get('content-length')));
    expect(zip.includes('one.txt')).toBe(true);
    await eventually('the agent removes its archives', async () => (await readdir(join(agent.dataDirectory, 'temporary'))).length === 0);
  });

  it('refuses files that are missing, too large or not named', async () => {
    const get = (filePath?: string) => call('GET', `download/${device.id}`, { query: { filePath } });
    expect((await get(join(folder, 'none'))).status).toBe(404);
    expect(await get()).toMatchObject({ status: 400, body: { errors: { filePath: [expect.any(String)] } } });
    await writeFile(join(folder, 'large'), Buffer.alloc(LIMIT + 1));
    const large = await get(join(folder, 'large'));
    expect([large.status, detailOf(large)]).toEqual([413, `The file has ${LIMIT + 1} bytes; the limit is ${LIMIT}.`]);
    // Also if the device never opens the stream.
    const silent = await createKeyedDevice(server, { id: device.tenantId });
    const announcing = await FakeAgent.online(server, silent);
    announcing.on(agentClient.UploadFileToViewer, () => hubValue({ fileSize: LIMIT + 1, fileDisplayName: 'file' }));
    expect((await call('GET', `download/${silent.id}`, { query: { filePath: '/file' } })).status).toBe(413);
    await announcing.stop();
    const archive = (body: object) => call('POST', `download-archive/${device.id}`, { body });
    expect((await archive({ archiveFileName: 'x', targetPaths: [join(folder, 'none')] })).status).toBe(404);
    expect(await archive({ archiveFileName: 'x', targetPaths: [] })).toMatchObject({
      status: 400,
      body: { errors: { targetPaths: [expect.any(String)] } },
    });
  });

  it('asks a device for an archive under the last segment of its name, and never under a path', async () => {
    const asked: string[] = [];
    const recording = keep(await FakeAgent.online(server, await createKeyedDevice(server, { id: device.tenantId })));
    recording.on(agentClient.UploadArchiveToViewer, (dto) => (asked.push(dto.archiveFileName), hubFailure('The archive cannot be made.')));
    const ask = (archiveFileName: string): Promise<ApiAnswer> =>
      call('POST', `download-archive/${recording.device.id}`, { body: { archiveFileName, targetPaths: ['/a'] } });
    for (const refused of ['..', 'a/..', String.raw`a\.`, 'a/', 'a/ ', 'a\tb']) {
      expect(await ask(refused)).toMatchObject({ status: 400, body: { errors: { archiveFileName: [expect.any(String)] } } });
    }
    for (const accepted of ['../x', String.raw`..\y.ZIP`, '/etc/cron.d/z', 'own name']) expect((await ask(accepted)).status).toBe(502);
    expect(asked).toEqual(['x.zip', 'y.ZIP', 'z.zip', 'own name.zip']);
  });

  it('reports a file that the device may not read as the device’s refusal', async () => {
    await writeFile(join(folder, 'secret'), 'x', { mode: 0 });
    await chmod(join(folder, 'secret'), 0);
    const answer = await call('GET', `download/${device.id}`, { query: { filePath: join(folder, 'secret') } });
    // An agent with administrator rights can read every file.
    if (process.getuid?.() === 0) expect(answer.status).toBe(200);
    else expect([answer.status, detailOf(answer)]).toEqual([502, 'Permission denied.']);
  });
});

describe('logs', () => {
  it('lists log files by group and shows one as text', async () => {
    const list = (await call('GET', `logs/${device.id}`)).as<{
      logFileGroups: { groupName: string; logFiles: { fullPath: string; fileName: string }[] }[];
    }>();
    expect(list.logFileGroups.map(({ groupName }) => groupName)).toEqual(['Agent Logs', 'Installer Logs']);
    // The oldest file contains the start of the agent, also when a day has ended since.
    const file = list.logFileGroups[0].logFiles.at(-1);
    if (file === undefined) throw new Error('The agent has written no log.');
    expect(file).toEqual({
      fileName: expect.any(String),
      fullPath: expect.any(String),
      size: expect.any(Number),
      lastModified: expect.any(String),
    });
    const response = await fetchRaw(`logs/${device.id}/contents`, { filePath: file.fullPath });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="${file.fileName}"`);
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.text()).toContain(device.id);
  });

  it('serves only log files', async () => {
    for (const filePath of ['/etc/hostname', join(agent.dataDirectory, 'settings.json'), join(folder, 'none')]) {
      const answer = await call('GET', `logs/${device.id}/contents`, { query: { filePath } });
      expect([answer.status, detailOf(answer)]).toEqual([404, 'The log file was not found.']);
    }
  });
});

describe('uploads', () => {
  type Part = readonly [string, string | Blob, string?];

  async function upload(parts: readonly Part[], id = device.id): Promise<ApiAnswer> {
    const form = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, fileName);
    }
    const response = await fetchRaw(`upload/${id}`, {}, { method: 'POST', body: form });
    return answerOf(response);
  }

  async function uploadRaw(body: RequestInit['body'], contentType: string, init: RequestInit = {}): Promise<ApiAnswer> {
    return answerOf(await fetchRaw(`upload/${device.id}`, {}, { method: 'POST', body, headers: { 'content-type': contentType }, ...init }));
  }

  const bytes = randomBytes(300_000);
  const file = (fileName = 'up.bin'): Part => ['file', new Blob([bytes]), fileName];
  const target = (): Part => ['targetSaveDirectory', folder];
  const spooled = async (): Promise<string[]> => readdir(join(server.dataPath, 'uploads')).catch(() => []);

  it.each([
    ['straight to the device, the directory being named first', () => [target(), file()]],
    ['by way of the server, the directory being named last', () => [file(), target()]],
    ['with fields behind the file', () => [target(), file(), ['overwrite', 'true'] as Part, ['other', 'x'] as Part]],
    ['with names in another case', () => [['TARGETSAVEDIRECTORY', folder] as Part, ['File', new Blob([bytes]), 'up.bin'] as Part]],
  ])('writes a file %s', async (_how, parts) => {
    const answer = await upload(parts());
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String), fileName: 'up.bin' }]);
    expect(sha256(await readFile(join(folder, 'up.bin')))).toBe(sha256(bytes));
    expect(await readdir(folder)).toEqual(['up.bin']);
    expect(await spooled()).toEqual([]);
  });

  it.each([
    ['empty, straight', (part: Part) => [target(), part], 0],
    ['empty, by way of the server', (part: Part) => [part, target()], 0],
    ['of line breaks', (part: Part) => [target(), part], 3],
  ])('writes a file that is %s', async (_how, order, size) => {
    const contents = Buffer.from('\r\n'.repeat(size));
    expect(await upload(order(['file', new Blob([contents]), 'edge']))).toMatchObject({ status: 200 });
    expect(await readFile(join(folder, 'edge'))).toEqual(contents);
  });

  it('accepts a form without a length and one without a final line break', async () => {
    const form = (end: string): string =>
      `--b\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n${folder}\r\n` +
      `--b\r\nContent-Disposition: form-data; name="file"; filename="plain.txt"\r\n\r\nhello\r\n--b--${end}`;
    const text = form('');
    expect(await uploadRaw(text, 'multipart/form-data; boundary=b')).toMatchObject({ status: 200 });
    expect(await readFile(join(folder, 'plain.txt'), 'utf8')).toBe('hello');
    await rm(join(folder, 'plain.txt'));
    const stream = new Blob([form('\r\n')]).stream();
    expect(await uploadRaw(stream, 'multipart/form-data; boundary="b"', { duplex: 'half' })).toMatchObject({ status: 200 });
    expect(await readFile(join(folder, 'plain.txt'), 'utf8')).toBe('hello');
    expect(await spooled()).toEqual([]);
  });

  it('keeps an existing file unless the form asks to overwrite it', async () => {
    await writeFile(join(folder, 'up.bin'), 'old');
    for (const parts of [
      [target(), file()],
      [file(), target()],
    ]) {
      const refused = await upload(parts);
      expect([refused.status, detailOf(refused)]).toEqual([400, 'File already exists.']);
    }
    expect(await readFile(join(folder, 'up.bin'), 'utf8')).toBe('old');
    expect((await upload([target(), ['overwrite', 'True'], file()])).status).toBe(200);
    expect(sha256(await readFile(join(folder, 'up.bin')))).toBe(sha256(bytes));
    await writeFile(join(folder, 'up.bin'), 'old');
    expect((await upload([file(), target(), ['overwrite', 'true']])).status).toBe(200);
    expect((await stat(join(folder, 'up.bin'))).size).toBe(bytes.length);
    expect(await spooled()).toEqual([]);
  });

  it('ignores folders in the name of a file', async () => {
    for (const fileName of ['../../escape', '/etc/escape', 'C:\\x\\escape']) {
      expect(await upload([target(), ['overwrite', 'true'], file(fileName)])).toMatchObject({ status: 200, body: { fileName: 'escape' } });
    }
    expect(await readdir(folder)).toEqual(['escape']);
    expect(await upload([target(), file('..')])).toMatchObject({ status: 400 });
    expect(await upload([target(), file('päckchen 🗂.bin')])).toMatchObject({ status: 200, body: { fileName: 'päckchen 🗂.bin' } });
  });

  it.each<[string, () => readonly Part[], string]>([
    ['no file', () => [target()], 'file'],
    ['no field at all', () => [], 'file'],
    ['no directory', () => [file()], 'targetSaveDirectory'],
    ['a blank directory', () => [['targetSaveDirectory', ' '], file()], 'targetSaveDirectory'],
    ['a file without a name', () => [target(), file('')], 'file'],
    ['a file in another field', () => [target(), ['document', new Blob([bytes]), 'x']], 'file'],
    ['two files', () => [target(), file('one'), file('two')], 'file'],
    ['two files before the directory', () => [file('one'), file('two'), target()], 'file'],
    ['an overwrite that is not a truth value', () => [target(), ['overwrite', 'perhaps'], file()], 'overwrite'],
  ])('answers %s with 400 and the name of the field, and writes nothing', async (_what, parts, field) => {
    const answer = await upload(parts());
    expect(answer.status).toBe(400);
    expect(Object.keys((answer.body as ProblemDetails).errors ?? {})).toEqual([field]);
    await eventually('nothing is left in the folder', async () => (await readdir(folder)).length === 0);
    expect(await spooled()).toEqual([]);
  });

  it('refuses other content types and broken forms', async () => {
    expect(await uploadRaw('{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await uploadRaw('x', 'text/plain')).toMatchObject({ status: 415 });
    expect(await call('POST', `upload/${device.id}`)).toMatchObject({ status: 415 });
    expect(await uploadRaw('x', 'multipart/form-data')).toMatchObject({ status: 400 });
    expect(await uploadRaw('x', 'multipart/form-data; boundary=b')).toMatchObject({ status: 400 });
    expect(
      await uploadRaw('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\ncut', 'multipart/form-data; boundary=b'),
    ).toMatchObject({
      status: 400,
    });
    expect(await spooled()).toEqual([]);
  });

  it('refuses a target that is missing on the device', async () => {
    const answer = await upload([['targetSaveDirectory', join(folder, 'none')], file()]);
    expect([answer.status, detailOf(answer)]).toEqual([404, 'The target directory does not exist.']);
    const relative = await upload([['targetSaveDirectory', 'relative'], file()]);
    expect([relative.status, detailOf(relative)]).toEqual([400, 'The path must be absolute.']);
  });

  it('refuses a file above the limit, by the announced length and by counting bytes', async () => {
    await writeFile(join(folder, 'large.source'), Buffer.alloc(LIMIT + MEBIBYTE));
    await writeFile(join(folder, 'above.source'), Buffer.alloc(LIMIT + 1));
    for (const name of ['large.source', 'above.source']) {
      const source = await openAsBlob(join(folder, name));
      for (const parts of [
        [target(), ['file', source, 'large'] as Part],
        [['file', source, 'large'] as Part, target()],
      ]) {
        expect(await upload(parts)).toMatchObject({ status: 413, body: { title: 'Payload too large.', status: 413 } });
      }
    }
    await eventually('only the sources are left', async () => (await readdir(folder)).length === 2);
    expect(await spooled()).toEqual([]);
  });

  it('deletes files that an earlier run left in the spool', async () => {
    const other = await TestApp.start({ Service_DataPath: join(folder, 'data') }, []);
    await mkdir(join(folder, 'data', 'uploads'), { recursive: true });
    await writeFile(join(folder, 'data', 'uploads', 'left-over'), 'x');
    await other.stop();
    const again = await TestApp.start({ Service_DataPath: join(folder, 'data') });
    await expect(readdir(join(folder, 'data', 'uploads'))).rejects.toThrow('ENOENT');
    await again.stop();
  });
});

describe('large files', () => {
  it.each([
    ['straight', true],
    ['by way of the server', false],
  ])('carries 64 MiB up %s and down again, every byte', async (_how, directoryFirst) => {
    const bytes = randomBytes(64 * MEBIBYTE);
    await writeFile(join(folder, 'source'), bytes);
    const form = new FormData();
    if (directoryFirst) form.append('targetSaveDirectory', folder);
    form.append('file', await openAsBlob(join(folder, 'source')), 'target');
    if (!directoryFirst) form.append('targetSaveDirectory', folder);
    const up = await fetchRaw(`upload/${device.id}`, {}, { method: 'POST', body: form });
    expect([up.status, await up.json()]).toEqual([200, expect.objectContaining({ fileName: 'target' })]);
    const down = await fetchRaw(`download/${device.id}`, { filePath: join(folder, 'target') });
    expect(down.headers.get('content-length')).toBe(String(bytes.length));
    expect(sha256(await bytesOf(down))).toBe(sha256(bytes));
  });
});

it('checks the same device that it calls, even if the body names several', async () => {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: device.tenantId });
  await grant(server, {
    principal: holder.serviceAccount(account),
    permission: Permission.DeviceFileSystemRead,
    scope: at.device(offline),
  });
  for (const [first, second] of [
    [offline.id, device.id],
    [device.id, offline.id],
  ]) {
    const body = `{"deviceId":"${first}","DeviceId":"${second}"}`;
    const answer = await call('POST', 'root-drives', { body }, key);
    expect(answer).toMatchObject({ status: 400, body: { errors: { deviceId: ['deviceId is given more than once: give it once.'] } } });
  }
});

async function answerOf(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) } as ApiAnswer;
}
