import { type HubMessage, MessageType } from './messages.js';

/** A message and its two encodings, MessagePack without the length in front. The specs read and write each. */
export interface NamedMessage {
  readonly name: string;
  readonly message: HubMessage;
  readonly json: string;
  readonly messagePack: string;
}

const { Invocation, StreamItem, Completion, StreamInvocation, CancelInvocation, Ping, Close, Ack, Sequence } = MessageType;

export const namedMessages: readonly NamedMessage[] = [
  {
    name: 'InvocationWithId',
    message: { type: Invocation, invocationId: '1', target: 'Add', arguments: [1, 'two'] },
    json: '{"type":1,"invocationId":"1","target":"Add","arguments":[1,"two"]}',
    messagePack: '9601 80 a131 a3416464 92 01 a374776f 90',
  },
  {
    name: 'InvocationWithoutId',
    message: { type: Invocation, invocationId: undefined, target: 'Add', arguments: [] },
    json: '{"type":1,"target":"Add","arguments":[]}',
    messagePack: '9601 80 c0 a3416464 90 90',
  },
  {
    name: 'InvocationWithStreams',
    message: { type: Invocation, invocationId: undefined, target: 'Put', arguments: [null], streamIds: ['1', '2'] },
    json: '{"type":1,"target":"Put","arguments":[null],"streamIds":["1","2"]}',
    messagePack: '9601 80 c0 a3507574 91 c0 92 a131 a132',
  },
  {
    name: 'InvocationWithObject',
    message: { type: Invocation, invocationId: '12', target: 'T', arguments: [{ a: true, b: [1.5, -1] }] },
    json: '{"type":1,"invocationId":"12","target":"T","arguments":[{"a":true,"b":[1.5,-1]}]}',
    messagePack: '9601 80 a23132 a154 91 82 a161 c3 a162 92 cb3ff8000000000000 ff 90',
  },
  {
    name: 'StreamInvocation',
    message: { type: StreamInvocation, invocationId: '3', target: 'Count', arguments: [5] },
    json: '{"type":4,"invocationId":"3","target":"Count","arguments":[5]}',
    messagePack: '9604 80 a133 a5436f756e74 91 05 90',
  },
  {
    name: 'StreamItem',
    message: { type: StreamItem, invocationId: '3', item: 'x' },
    json: '{"type":2,"invocationId":"3","item":"x"}',
    messagePack: '9402 80 a133 a178',
  },
  {
    name: 'NullStreamItem',
    message: { type: StreamItem, invocationId: '3', item: null },
    json: '{"type":2,"invocationId":"3","item":null}',
    messagePack: '9402 80 a133 c0',
  },
  {
    name: 'CompletionWithResult',
    message: { type: Completion, invocationId: '1', hasResult: true, result: 42 },
    json: '{"type":3,"invocationId":"1","result":42}',
    messagePack: '9503 80 a131 03 2a',
  },
  {
    name: 'CompletionWithNull',
    message: { type: Completion, invocationId: '1', hasResult: true, result: null },
    json: '{"type":3,"invocationId":"1","result":null}',
    messagePack: '9503 80 a131 03 c0',
  },
  {
    name: 'CompletionWithError',
    message: { type: Completion, invocationId: '1', error: 'No.', hasResult: false },
    json: '{"type":3,"invocationId":"1","error":"No."}',
    messagePack: '9503 80 a131 01 a34e6f2e',
  },
  {
    name: 'VoidCompletion',
    message: { type: Completion, invocationId: '1', hasResult: false },
    json: '{"type":3,"invocationId":"1"}',
    messagePack: '9403 80 a131 02',
  },
  {
    name: 'CancelInvocation',
    message: { type: CancelInvocation, invocationId: '3' },
    json: '{"type":5,"invocationId":"3"}',
    messagePack: '9305 80 a133',
  },
  { name: 'Ping', message: { type: Ping }, json: '{"type":6}', messagePack: '9106' },
  {
    name: 'CloseWithError',
    message: { type: Close, error: 'Bye.', allowReconnect: false },
    json: '{"type":7,"error":"Bye.","allowReconnect":false}',
    messagePack: '9307 a44279652e c2',
  },
  {
    name: 'CloseAllowingReconnect',
    message: { type: Close, error: undefined, allowReconnect: true },
    json: '{"type":7,"allowReconnect":true}',
    messagePack: '9307 c0 c3',
  },
  { name: 'Ack', message: { type: Ack, sequenceId: 7 }, json: '{"type":8,"sequenceId":7}', messagePack: '9208 07' },
  { name: 'Sequence', message: { type: Sequence, sequenceId: 300 }, json: '{"type":9,"sequenceId":300}', messagePack: '9209 cd012c' },
];

/** The bytes of hexadecimal digits, which may have spaces between them. */
export function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}
