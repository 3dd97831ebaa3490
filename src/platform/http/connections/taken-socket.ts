import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Duplex } from 'node:stream';

import { ReadBuffers } from './read-buffers.js';

/** Takes the bytes that a socket receives. */
export interface ByteSink {
  /** The next bytes, which may be changed. */
  receive(bytes: Buffer): void;
  /** True once the bytes of earlier calls are not needed any more. */
  readonly hasPassedOn: boolean;
}

/** A socket whose bytes go to a sink. */
export interface TakenSocket {
  readonly socket: Duplex;
  /** The bytes that had arrived before it was taken. */
  readonly early: Buffer;
  /** Begins to read. */
  readonly begin: () => void;
}

/** Undeclared members of the sockets of Node.js: the connection of the system, and a way to hand it on. */
interface Handle {
  /** True while the socket that owns it reads. */
  reading: boolean;
  readStop(): void;
}
interface Owner {
  readonly allowHalfOpen: boolean;
  _handle: Handle | null | undefined;
}
interface HandedOn extends SocketConstructorOpts {
  readonly handle: Handle;
  readonly manualStart: boolean;
  readonly onread: OnReadOpts;
}

/**
 * Takes an open socket over to read it into buffers that are used again. Node.js can do that only for a socket whose program asked for it
 * before it opened, and nobody can ask for an accepted one. It reads all others into new memory each time, which the allocator takes from the
 * system and gives back: at the rates of a relay, that costs a third of the processor time. So the connection is handed on to a new socket.
 * The former one closes with it, and must not be used in any other way. A stream that is no TCP socket is read as it is.
 */
export function takeSocket(former: Duplex, sink: ByteSink): TakenSocket {
  const owner = former instanceof Socket ? (former as Socket & Owner) : undefined;
  const handle = owner?._handle;
  if (owner === undefined || handle === undefined || handle === null) {
    return { socket: former, early: Buffer.alloc(0), begin: () => former.on('data', (bytes: Buffer) => sink.receive(bytes)) };
  }
  const early = owner.read() as Buffer | null;
  handle.readStop();
  handle.reading = false;
  owner._handle = null;
  const socket = ownerOf(handle, owner.allowHalfOpen, sink);
  socket.once('close', () => owner.destroy());
  return { socket, early: early ?? Buffer.alloc(0), begin: () => socket.resume() };
}

function ownerOf(handle: Handle, allowHalfOpen: boolean, sink: ByteSink): Socket {
  const buffers = new ReadBuffers();
  let room: Buffer;
  const options: HandedOn = {
    handle,
    manualStart: true,
    allowHalfOpen,
    onread: {
      buffer: () => (room = buffers.next(sink.hasPassedOn)),
      callback: (length) => {
        sink.receive(buffers.take(room, length));
        return true;
      },
    },
  };
  return new Socket(options);
}
