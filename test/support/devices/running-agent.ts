import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { Agent } from '../../../agent/src/agent.js';
import { dataDirectory } from '../../../agent/src/data-directory.js';
import type { Log } from '../../../agent/src/logs/log.js';
import { install } from '../../../agent/src/service/installation.js';
import type { Service } from '../../../demo/service.js';
import { eventually } from '../eventually.js';
import type { Machine } from '../processes/service-process.js';
import type { Enrolment } from './reporting-device.js';

/* Devices with the reference agent in the process of the test, at a service that runs as a process. */

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface RunningAgent {
  readonly agent: Agent;
  readonly deviceId: string;
  readonly tenantId: string;
}

/** An agent of the reference that is connected. */
export async function connectedAgent(machine: Machine, service: Service, enrolment: Enrolment, name: string): Promise<RunningAgent> {
  const { tenantId, keyId, keySecret } = enrolment;
  const directory = dataDirectory(join(machine.folder, name));
  const { deviceId } = await install(
    { serverUri: service.url, tenantId, installerKey: { id: keyId, secret: keySecret } },
    directory,
    SILENT,
  );
  const agent = machine.alsoStop(await Agent.start({ directory, log: SILENT, reconnectJitterSeconds: 0 }));
  await eventually('the device is online', async () => {
    const device = await machine.client(service).get(`/api/v1/devices/${deviceId}`);
    return device.as<{ isOnline: boolean }>().isOnline;
  });
  return { agent, deviceId, tenantId };
}

/** Asks for a file of the device, and returns the answer whose body nobody reads yet. */
export async function beginDownload(
  machine: Machine,
  { url }: Pick<Service, 'url'>,
  { deviceId, tenantId }: Omit<RunningAgent, 'agent'>,
  filePath: string,
): Promise<IncomingMessage> {
  const query = new URLSearchParams({ tenantId, filePath });
  const address = `${url}/api/v1/device-file-system/download/${deviceId}?${query.toString()}`;
  const request = httpRequest(address, { headers: { 'x-api-key': machine.account.key } });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  if (response.statusCode !== 200) throw new Error(`The download was refused with ${response.statusCode}.`);
  return response;
}

export async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
