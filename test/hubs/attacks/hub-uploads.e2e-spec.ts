/*
 * Uploads through the hub that go wrong on purpose: the viewer stops in the middle or sends less than it announced, the device never
 * fetches the file, and the right ends while bytes flow. Each upload has to end as a failure, on both sides, and hold up nothing else.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';

import { agentClient, agentHub, FileUploadHubDto, FileUploadMetadata, hubFailure, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceTimes } from '../../../src/devices/device-link/device-times.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';
import { limitHub } from './raw-hub-client.js';

const PIECE = Buffer.alloc(30_720).toString('base64');
/** Time-out that no test reaches, in milliseconds. */
const NEVER_MS = 600_000;

describe('an upload through the hub', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  beforeEach(() => {
    Object.assign(server.app.get(DeviceTimes), { idleMs: NEVER_MS, answerMs: NEVER_MS });
  });

  async function scene(): Promise<{ agent: FakeAgent; viewer: TestViewer; caller: Caller; ends: string[]; received: () => number }> {
    const agent = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    const ends: string[] = [];
    let received = 0;
    agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
      ends.push(await fetchAll(agent, dto, () => (received += 1)).then(() => 'complete', String));
      return hubFailure('The stream broke.');
    });
    const caller = await callerWith(server, tenant, [Permission.DeviceFileSystemTransferUpload], at.tenant(tenant));
    return { agent, viewer: keep(await TestViewer.connect(server, caller.headers)), caller, ends, received: () => received };
  }

  function begin(viewer: TestViewer, { device }: FakeAgent): { items: Subject<string>; result: Promise<unknown> } {
    const items = new Subject<string>();
    const metadata = {
      deviceId: device.id,
      targetDirectory: '/tmp',
      fileName: 'f',
      fileSize: 1_000_000,
      contentType: 'text/plain',
      overwrite: false,
    };
    const result = viewer.connection.invoke(viewerHub.UploadFile.name, FileUploadMetadata.encode(metadata, 'json'), items);
    return { items, result };
  }

  const failure = (reason: string): object => ({ isSuccess: false, reason, errorCode: null });

  it('fails when the viewer stalls', async () => {
    Object.assign(server.app.get(DeviceTimes), { idleMs: 300 });
    const { agent, viewer, ends } = await scene();
    const { items, result } = begin(viewer, agent);
    items.next(PIECE);
    expect(await result).toEqual(failure('The upload stalled: nothing arrived for 0.3 seconds.'));
    await eventually('the device hears of it', () => ends.length === 1);
    expect(ends[0]).toContain('stalled');
  });

  it('fails when the viewer sends less than it announced', async () => {
    const { agent, viewer, ends } = await scene();
    const { items, result } = begin(viewer, agent);
    items.next(PIECE);
    items.complete();
    expect(await result).toEqual(failure('The upload ended after 30720 of 1000000 bytes.'));
    await eventually('the device hears of it', () => ends.length === 1);
    expect(ends[0]).toContain('ended after');
  });

  it('holds up nothing else of the viewer when the device never fetches it', async () => {
    limitHub(server, VIEWER_HUB_PATH, { unreadStreamMs: 500 });
    const { agent, viewer } = await scene();
    agent.answerRaw(agentClient.DownloadFileFromViewer, () => new Promise(() => undefined));
    const { items, result } = begin(viewer, agent);
    result.catch(() => undefined);
    for (let piece = 0; piece < 400; piece += 1) {
      items.next(PIECE);
      // The client sends it before the call below only if it gets to it.
      await new Promise(setImmediate);
    }
    expect(await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [] })).toMatchObject({ isSuccess: true });
  });

  it.each<[string, string, (caller: Caller, agent: FakeAgent) => Promise<unknown>]>([
    [
      'the permission',
      'Forbidden.',
      ({ account }) => server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [account.id]),
    ],
    ['the device', 'Forbidden.', (_caller, { device }) => server.client().delete(`/api/v1/devices/${device.id}`)],
  ])('ends with %s', async (_what, reason, take) => {
    const { agent, viewer, caller, ends, received } = await scene();
    const { items, result } = begin(viewer, agent);
    items.next(PIECE);
    await eventually('bytes flow', () => received() === 1);
    await take(caller, agent);
    expect(await result).toEqual(failure(reason));
    await eventually('the device hears of it', () => ends.length === 1);
    expect(ends[0]).toContain(reason);
  });

  it('ends with the account', async () => {
    const { agent, viewer, caller, ends, received } = await scene();
    const { items, result } = begin(viewer, agent);
    result.catch(() => undefined);
    items.next(PIECE);
    await eventually('bytes flow', () => received() === 1);
    await server.dataSource.query('DELETE FROM service_accounts WHERE id = $1', [caller.account.id]);
    await eventually('the device hears of it', () => ends.length === 1);
    expect(ends[0]).not.toBe('complete');
    await eventually('the viewer is disconnected', () => viewer.isClosed);
  });
});

/** Fetches the file that the server offers. Rejects if the server ends the stream with an error. */
function fetchAll({ connection }: FakeAgent, dto: FileUploadHubDto, taken: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection
      .stream(agentHub.GetFileStreamFromViewer.name, FileUploadHubDto.encode(dto, 'json'))
      .subscribe({ next: taken, complete: resolve, error: reject });
  });
}
