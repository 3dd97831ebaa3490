import { CreateTerminalSessionRequestDto, viewerHub, type Encoding } from '#libs/contracts';
import { jsonProtocol, messagePackProtocol, MessageType, type Frame, type HubProtocol } from '#libs/signalr';

import { block } from './markdown.js';

const REQUEST: CreateTerminalSessionRequestDto = {
  deviceId: '0199a000-0000-7000-8000-000000000001',
  terminalId: '0199a000-0000-7000-9000-000000000001',
};
const INVOCATION_ID = '1';
const BYTES_A_LINE = 16;

/** Describes one call in both encodings. The encodings come from the code that runs. */
export function describeExample(): string {
  const json = String(callIn(jsonProtocol));
  const packed = Buffer.from(callIn(messagePackProtocol));
  return [
    'In JSON, followed by the byte 1e, which ends every message:',
    block('text', json.slice(0, -1)),
    'In MessagePack, the array of type (1, an invocation), headers, invocation id, target, arguments and streams:',
    block('text', structureIn('messagepack')),
    'These are its bytes, behind a prefix with their number:',
    block('text', inHexadecimal(packed)),
  ].join('\n\n');
}

function callIn(protocol: HubProtocol): Frame {
  return protocol.write({
    type: MessageType.Invocation,
    invocationId: INVOCATION_ID,
    target: viewerHub.CreateTerminalSession2.name,
    arguments: [CreateTerminalSessionRequestDto.encode(REQUEST, protocol.encoding)],
  });
}

function structureIn(encoding: Encoding): string {
  const { name } = viewerHub.CreateTerminalSession2;
  return JSON.stringify([1, {}, INVOCATION_ID, name, [CreateTerminalSessionRequestDto.encode(REQUEST, encoding)], []]);
}

function inHexadecimal(bytes: Buffer): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += BYTES_A_LINE) {
    const line = bytes.subarray(start, start + BYTES_A_LINE);
    const letters = line.toString('latin1').replaceAll(/[^ -~]/g, '.');
    lines.push(
      `${line
        .toString('hex')
        .replaceAll(/(..)(?=.)/g, '$1 ')
        .padEnd(3 * BYTES_A_LINE)} ${letters}`,
    );
  }
  return lines.join('\n');
}
