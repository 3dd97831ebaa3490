import { agentClient, agentHub, FileUploadHubDto, hubOk, type AgentMethodName, type Encoding, type HubMethod } from '#libs/contracts';

import type { TestApp } from '../../support/application/app.js';
import { FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';

/** A call that an agent received. */
export interface ReceivedCall {
  readonly deviceId: string;
  readonly method: string;
  /** The arguments as they came over the wire. */
  readonly raw: readonly unknown[];
  /** The bytes that it then fetched. */
  readonly fetched: Buffer | null;
}

/**
 * An agent that is online, notes every call of the server, whatever the method, and answers it: with what the table says, else with a
 * success. A file that it is told to fetch it fetches first.
 */
export async function notingAgent(
  server: TestApp,
  device: KeyedDevice,
  encoding: Encoding,
  answers: ReadonlyMap<AgentMethodName, unknown>,
  calls: ReceivedCall[],
): Promise<FakeAgent> {
  const agent = await FakeAgent.online(server, device, encoding);
  for (const method of Object.values(agentClient)) {
    agent.answerRaw(method, async (...raw) => {
      const fetched = method.name === 'DownloadFileFromViewer' ? await fetchAll(agent, raw[0]) : null;
      calls.push({ deviceId: device.id, method: method.name, raw, fetched });
      const { returns }: HubMethod = method;
      if (returns === undefined || 'stream' in returns) return undefined;
      return returns.encode(answers.get(method.name) ?? hubOk(), encoding);
    });
  }
  return agent;
}

function fetchAll({ connection, encoding }: FakeAgent, request: unknown): Promise<Buffer> {
  const { name, returns } = agentHub.GetFileStreamFromViewer;
  const pieces: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    connection.stream<unknown>(name, FileUploadHubDto.encode(FileUploadHubDto.decode(request, encoding), encoding)).subscribe({
      next: (item) => pieces.push(returns.stream.decode(item, encoding)),
      complete: () => resolve(Buffer.concat(pieces)),
      error: reject,
    });
  });
}
