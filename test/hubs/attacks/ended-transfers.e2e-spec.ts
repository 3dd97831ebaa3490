import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';

import { beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, FileUploadHubDto, hubValue, Timestamp } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createPersonalAccessToken, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';

/*
 * A caller begins a transfer over HTTP that never ends by itself, a download, an upload or a listing, and loses what carries it: the
 * assignment, the token, the account, the device or the tenant. The transfer must end soon, for the caller and for the device.
 */

const server = testServer();
const keep = stopAfterEach();
const PERMISSIONS = [
  Permission.DeviceFileSystemRead,
  Permission.DeviceFileSystemTransferDownload,
  Permission.DeviceFileSystemTransferUpload,
];
const TOKEN_MS = 60_000;
const PROMISED_MS = 1_000;
/** Time-out on a busy machine, in milliseconds. A transfer without an end would go on for ever. */
const DEADLINE_MS = 15_000;
const CHUNK = new Uint8Array(1_000);
const BOUNDARY = 'parts';

let tenant: Tenant;
let device: KeyedDevice;
let agent: FakeAgent;
let user: User;
let assignments: PermissionAssignment[];
let tokenId: string;
let key: string;

beforeEach(async () => {
  tenant = await createTenant(server);
  device = await createKeyedDevice(server, tenant);
  agent = keep(await FakeAgent.online(server, device));
  user = await createUser(server, { tenantId: tenant.id });
  assignments = [];
  for (const permission of PERMISSIONS) {
    assignments.push(await grant(server, { principal: holder.user(user), permission, scope: at.tenant(tenant) }));
  }
  const expiresAt = new Date(server.clock.milliseconds() + TOKEN_MS);
  const made = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner, expiresAt });
  [tokenId, key] = [made.token.id, made.key];
});

/** Time-out of the next end, in milliseconds. */
let deadlineMs = DEADLINE_MS;

/** Waits until something ends. Once it has not, the tests that follow wait no longer than is promised, so that all soon have a verdict. */
async function endsSoon(what: string, hasEnded: () => boolean): Promise<void> {
  try {
    await eventually(what, hasEnded, deadlineMs);
  } catch (error) {
    deadlineMs = PROMISED_MS;
    throw error;
  }
}

/** A call that is under way. */
interface Underway {
  /** End of the caller's side, and the status that was answered, if any. */
  readonly state: { status: number | null; isOver: boolean };
  readonly request: ClientRequest;
}

function begin(method: string, path: string, query: Record<string, string>, headers: Record<string, string> = {}): Underway {
  const url = new URL(`/api/v1/device-file-system/${path}`, server.url);
  url.search = new URLSearchParams({ tenantId: tenant.id, ...query }).toString();
  const state: Underway['state'] = { status: null, isOver: false };
  const over = (): void => void (state.isOver = true);
  const request = httpRequest(url, { method, headers: { 'x-personal-token': key, ...headers } }, (response: IncomingMessage) => {
    state.status = response.statusCode ?? null;
    response.on('error', over).on('close', over).resume();
  });
  request.on('error', over);
  return { state, request };
}

interface Transfer {
  readonly what: string;
  /** Begins it, and settles when bytes flow. `isOver` is true once the device's part has ended. */
  readonly begin: () => Promise<Underway & { readonly isOverForDevice: () => boolean }>;
}

const TRANSFERS: readonly Transfer[] = [
  {
    what: 'a download',
    begin: async () => {
      agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
        agent.openStream(agentHub.SendFileContentStream, streamId).send(CHUNK).send(CHUNK);
        return hubValue({ fileSize: 1_000_000, fileDisplayName: 'file' });
      });
      const underway = begin('GET', `download/${device.id}`, { filePath: '/file' });
      underway.request.end();
      await eventually('the download has begun', () => underway.state.status === 200);
      return { ...underway, isOverForDevice: () => true };
    },
  },
  {
    what: 'a listing',
    begin: async () => {
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        const rights = { isHidden: false, canRead: true, canWrite: true };
        const entry = { name: 'a', fullPath: '/a', isDirectory: false, size: 0, hasSubfolders: false, ...rights };
        const lastModified = Timestamp.fromDate(new Date());
        agent.openStream(agentHub.SendDirectoryContentsStream, streamId, true).send([{ ...entry, lastModified }]);
        return new Promise(() => undefined);
      });
      const underway = begin('POST', 'contents', {}, { 'content-type': 'application/json' });
      underway.request.end(JSON.stringify({ deviceId: device.id, directoryPath: '/' }));
      await eventually('the listing has begun', () => underway.state.status === 200);
      return { ...underway, isOverForDevice: () => true };
    },
  },
  {
    what: 'an upload',
    begin: async () => {
      const fetched = { bytes: 0, isOver: false };
      agent.on(agentClient.DownloadFileFromViewer, (dto) => {
        agent.connection
          .stream<Uint8Array | string>(agentHub.GetFileStreamFromViewer.name, FileUploadHubDto.encode(dto, 'json'))
          .subscribe({
            next: (piece) => void (fetched.bytes += piece.length),
            error: () => void (fetched.isOver = true),
            complete: () => void (fetched.isOver = true),
          });
        return new Promise(() => undefined);
      });
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': '1000000' };
      const underway = begin('POST', `upload/${device.id}`, {}, headers);
      const part = (disposition: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
      underway.request.write(`${part('name="targetSaveDirectory"')}/tmp\r\n${part('name="file"; filename="a"')}`);
      underway.request.write(Buffer.alloc(100_000));
      await eventually('the device has bytes', () => fetched.bytes > 0);
      return { ...underway, isOverForDevice: () => fetched.isOver };
    },
  },
];

const remove = (path: string): Promise<ApiAnswer> => server.client().delete(`/api/v1/${path}`, { query: { tenantId: tenant.id } });

const ENDS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the assignments are deleted', () => Promise.all(assignments.map(({ id }) => remove(`permission-assignments/${id}`)))],
  ['the token is deleted', () => remove(`users/${user.id}/personal-access-tokens/${tokenId}`)],
  ['the token expires', () => Promise.resolve(server.clock.advance(TOKEN_MS + 1))],
  ['the account is deleted', () => remove(`users/${user.id}`)],
  ['the device is deleted', () => remove(`devices/${device.id}`)],
  ['the tenant is deleted', () => server.client().delete(`/api/v1/tenants/${tenant.id}`)],
];

describe.each(TRANSFERS)('$what', ({ begin: beginTransfer }) => {
  it.each(ENDS)('ends when %s', async (_what, end) => {
    const { state, request, isOverForDevice } = await beginTransfer();
    try {
      await end();
      await endsSoon('the caller is cut off or refused', () => state.isOver || state.status === 403);
      await endsSoon('the device is told', isOverForDevice);
    } finally {
      request.destroy();
    }
  });

  it('goes on when another user loses as much', async () => {
    const other = await createUser(server, { tenantId: tenant.id });
    const theirs = await grant(server, {
      principal: holder.user(other),
      permission: Permission.DeviceFileSystemRead,
      scope: at.tenant(tenant),
    });
    const { state, request } = await beginTransfer();
    try {
      expect((await remove(`permission-assignments/${theirs.id}`)).status).toBe(204);
      expect((await remove(`users/${other.id}`)).status).toBe(204);
      // A transfer that had to end would have ended by the next deletion that does end it.
      expect(state.isOver).toBe(false);
      await remove(`users/${user.id}`);
      await endsSoon('the transfer ends with its own account', () => state.isOver || state.status === 403);
    } finally {
      request.destroy();
    }
  });
});
