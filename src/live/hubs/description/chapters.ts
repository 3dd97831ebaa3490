import { HubResult, inWords, MAX_ITEMS, REFUSED_REASON } from '#libs/contracts';
import { MESSAGE_TIMEOUT_MS, resolveLimits } from '#libs/signalr';

import { DeviceTimes } from '../../../devices/device-link/device-times.js';
import { UpdateRefusal } from '../../../devices/devices/updates/update-acceptance.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../platform/common/addresses/hub-paths.js';
import { AGENT_HUB_LIMITS, HUB_LIMITS, VIEWER_HUB_LIMITS } from '../hub-limits.js';
import { describeExample } from './example.js';
import { code, table } from './markdown.js';
import { describeRecord, RESULTS } from './types.js';

/** The heading of the chapter on signatures. */
export const SIGNING = 'Signing of updates';

const limits = resolveLimits(HUB_LIMITS);
const viewerLimits = resolveLimits(VIEWER_HUB_LIMITS);
const agentLimits = resolveLimits(AGENT_HUB_LIMITS);
const seconds = (milliseconds: number): string => `${milliseconds / 1000} seconds`;
const bytes = (count: number): string => `${inWords(count)} bytes`;

/** Describes the ways to connect, and the rules of every connection. */
export function describeConnecting(): string {
  return `## Connecting

${table(
  ['Hub', 'Path', 'Who may connect'],
  [
    ['Viewer hub', code(VIEWER_HUB_PATH), 'anyone with a credential of the HTTP API'],
    ['Agent hub', code(AGENT_HUB_PATH), 'anyone'],
  ],
)}

Both hubs are on the port of the HTTP API and speak the SignalR hub protocol, version 1 or 2, in JSON or MessagePack. A client
negotiates with \`POST <path>/negotiate?negotiateVersion=1\` and opens its connection at \`<path>?id=<connectionToken>\` within
${seconds(limits.negotiationLifetimeMs)}; the token opens one connection. The \`connectionId\` is public and names the connection to others.

${table(
  ['Transport', 'From the server', 'From the client', 'Encodings'],
  [
    [
      'WebSockets',
      `the WebSocket at ${code('<path>?id=<connectionToken>')}, or at ${code('<path>')} without negotiating, as agents do`,
      'the same',
      'both',
    ],
    ['Server-sent events', `one ${code('GET')} with ${code('Accept: text/event-stream')}, which does not end`, code('POST'), 'JSON'],
    [
      'Long polling',
      `one ${code('GET')} after the other. The first is answered at once, without content`,
      `${code('POST')}; ${code('DELETE')} ends the connection`,
      'both',
    ],
  ],
)}

A request with a token that is unknown, has expired or belongs to another account is answered with 404. A poll without messages is
answered with 200 and no content after ${seconds(limits.pollTimeoutMs)}. A second poll ends the first one with 204; so does the end of the connection.
A client sends one \`POST\` after the other; each is answered once the server has taken its messages.

**Stateful reconnect.** A client of the viewer hub that uses WebSockets, negotiates with \`useStatefulReconnect=true\` and shakes hands
with version 2 can return to its connection with the same token when its WebSocket is lost. Nothing is lost and nothing
arrives twice. Other clients negotiate again and get a new connection. A page that the user leaves or reloads closes its WebSocket with
code 1001, which counts as lost, so that the next page can take over its terminals.

**Authentication.** A viewer sends its credential with the negotiate request and again with the WebSocket or each later request: \`x-api-key\`,
\`x-personal-token\`, the session cookie, or \`Authorization: Bearer\` where that is enabled. A missing or wrong credential is answered with 401,
a malformed one with 400, both as problem details; a page of another origin with 403. The connection by itself permits nothing: each call needs
the permission that its method names, at the time of the call. A viewer whose credential ends is disconnected. Agents send no credential; each
report carries a signature.

**Order.** Up to ${limits.parallelInvocations} calls of one connection run at the same time, so answers may come in another order than calls. Calls
with streams do not count; a connection has at most ${limits.maximumStreams} open streams. The order is kept for the input of one
terminal, the output of one terminal, the messages of one chat, and the reports of one agent.

**Limits**

${table(
  ['Limit', 'Value', 'Beyond it'],
  [
    ['One message from a client', bytes(limits.maximumMessageSize), 'the connection ends'],
    [
      'Time of one message, from its first byte to its last',
      `${seconds(MESSAGE_TIMEOUT_MS)}, and one more for each 4,000 bytes`,
      'the connection ends',
    ],
    ['Handshake', `512 bytes, ${seconds(limits.handshakeTimeoutMs)}`, 'the connection ends'],
    [
      'Agent connections of one address without an accepted report',
      `${inWords(agentLimits.maximumUnauthenticatedPerSource)}, each for ${seconds(agentLimits.unauthenticatedTimeoutMs)}`,
      'further ones are answered with 503, and longer ones end',
    ],
    [
      'Negotiated connections that wait to be opened',
      `${inWords(limits.maximumPendingNegotiationsPerClient)} of one account, or of one address without an account. With several nodes none wait: the token holds the connection`,
      'negotiating is answered with 503',
    ],
    ['Silence of a client', `${seconds(limits.clientTimeoutMs)}; pings count as messages. Not with long polling`, 'the connection ends'],
    ['Absence of a client: between two polls, or until a stateful reconnect', seconds(limits.disconnectTimeoutMs), 'the connection ends'],
    [`One ${code('POST')}`, bytes(limits.maximumPostSize), 'it is answered with 413'],
    ['Silence of the server', `${seconds(limits.keepAliveMs)}. Not with long polling`, 'the server sends a ping'],
    ['Answer of a client to a call', seconds(new DeviceTimes().answerMs), 'the call fails'],
    ['Calls of one connection at once', String(limits.parallelInvocations), 'the client has to wait'],
    ['Items of one stream that wait for their reader', String(limits.streamBufferCapacity), 'the client has to wait'],
    [
      'Bytes of waiting calls and stream items of all clients of a hub',
      bytes(limits.sharedHeldSize),
      `each client has to wait from ${bytes(limits.maximumMessageSize)} on`,
    ],
    [
      'Bytes that wait for a client that reads too slowly',
      `${bytes(viewerLimits.maximumUnsentBytes)}; on the agent hub ${bytes(agentLimits.maximumUnsentBytes)}`,
      'the connection ends',
    ],
    [
      'Bytes that a client with stateful reconnect has not acknowledged',
      `${bytes(viewerLimits.replayBufferSize)}; ${bytes(viewerLimits.replayBurstSize)} while all clients together have less than ` +
        `${bytes(viewerLimits.sharedReplaySize)} beyond that`,
      `streams and terminals wait; the connection ends from ${bytes(viewerLimits.maximumUnsentBytes)} on`,
    ],
  ],
)}

**Errors of the hub.** A call gets an error instead of an answer when the method does not exist, takes another number of arguments, or an
argument does not fit. The error names the member that is wrong. The connection stays open. Names of methods match in any case.`;
}

/** Describes the two encodings, type by type, with one call in both. */
export function describeEncodings(): string {
  const rows = [
    ['record', 'object; names in camelCase, read in any case', 'map; names in PascalCase, read exactly'],
    ['enum', 'number or name, as each enum says; both are read, names in any case', 'name; numbers are read too'],
    [code('guid'), 'string of 36 lower-case characters', 'the same'],
    [`${code('string')}, ${code('uri')}, ${code('version')}`, 'string', 'str'],
    [code('bool'), 'true or false', 'bool'],
    [`${code('int32')}, ${code('int64')}, ${code('float64')}`, 'number', 'int or float'],
    [code('bytes'), 'string in standard base64 with padding', 'bin'],
    [
      code('datetimeoffset'),
      'string in ISO 8601 with its offset and up to seven fraction digits',
      'array of two: the clock reading as a timestamp (extension -1), the offset in minutes',
    ],
    ['list', 'array', 'array'],
  ];
  return `## Encodings

${table(['Type', 'JSON', 'MessagePack'], rows)}

A missing member is null where it may be null; else 0, false, an empty string, an empty list, the GUID of zeros or the first moment of the
year 1. A missing record is an error. Where null is not allowed, null for a string, bytes or a list means an empty one; for other types it is an
error. Unknown members are ignored. A list has at most ${inWords(MAX_ITEMS)} items unless its description gives another limit. Lengths of
strings are in UTF-16 code units.

The call of \`CreateTerminalSession2\` below has the invocation id 1.

${describeExample()}`;
}

/** Describes the results of most methods. */
export function describeResults(): string {
  return `## ${RESULTS}

${describeRecord(HubResult)}

A result with a value has a fourth member, \`value\`, which comes first and is null on failure.

The server checks a viewer's call in this order: the request, the device, the permission, the desktop sessions of a logon token. A call
without the permission always fails with ${code(REFUSED_REASON)} A device of a tenant that the viewer cannot name is answered like a device that does
not exist. For an offline device the call fails at once, as "any other fault" of the method; for a device whose new key waits for approval
the reason says so. When the agent answers with a failure, the viewer gets the agent's reason.`;
}

/** Describes the proof by which devices sign their reports. */
export function describeSigning(): string {
  const reasons = [
    [UpdateRefusal.UnknownDevice, 'The server does not know the device, and agents may not register themselves.'],
    [UpdateRefusal.SignatureRequired, 'The report is not signed, but the device has a stored key.'],
    [UpdateRefusal.KeyRequired, 'Neither the server nor the envelope has a key.'],
    [UpdateRefusal.KeyFormat, 'The key is not standard base64.'],
    [UpdateRefusal.KeyLength, 'The key does not have 32 bytes.'],
    [UpdateRefusal.Signature, 'The signature is not one of this key over these bytes.'],
    [UpdateRefusal.Stale, 'The timestamp is too far from the time of the server, or not newer than that of the last accepted report.'],
    [UpdateRefusal.Failed, 'The server could not store the report. It asks for another one soon, by `RefreshDeviceInfo`.'],
  ].map(([reason, meaning]) => [code(reason), meaning]);
  return `## ${SIGNING}

An agent signs each report with Ed25519 (no prehash, no context). The signed bytes are a MessagePack array of three:

1. as binary, the MessagePack of [DeviceUpdateRequestDto](#deviceupdaterequestdto): a map with the names in PascalCase, in the order of the table;
2. the timestamp as an unsigned integer of 64 bits: 100 ns since the year 1, of the clock reading as written, without its offset;
3. the public key as in the envelope, or nil.

Inside, integers and strings take their shortest form, floats always 9 bytes, enums are integers in both encodings, a GUID is a string of 36
lower-case characters, null is nil. The server encodes the received report again, so the order and the case of names
in JSON do not matter. \`libs/contracts/src/fixtures/signing-vector.json\` is a worked example.

The server verifies the signature with the stored key of the device. Without a stored key it uses and stores the key of the envelope. Only
another registration replaces a stored key. The timestamp may differ from the time of the server by \`AppOptions:AgentClockSkewTolerance\` and
must be newer than that of the last accepted report. Both checks are off while that option is empty.

${table(['Reason of a refused report', 'Meaning'], reasons)}`;
}
