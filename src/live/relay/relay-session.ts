import { CloseCode, ProtocolViolation } from './pipe/frames.js';
import type { RelaySocket, SocketEnd } from './pipe/relay-socket.js';
import type { RemoteControlGates } from './remote-control/remote-control-gates.js';

/** Reasons for the end of a session. */
export enum SessionEnd {
  /** One side has closed it, or has left. */
  Closed = 'closed',
  /** One side does not answer any more. */
  Silent = 'silent',
  /** One side has sent bytes that are no WebSocket frames. */
  Violation = 'violation',
  /** The permission, the credential or the device behind it has ended. */
  Right = 'right',
  /** Another user has ended it. */
  Ended = 'ended',
  Stop = 'stop',
}

const ENDED = 'Session ended.';
/** The message for the viewer of a remote control session; none if the viewer knows the reason. */
const SENTENCES: { readonly [E in SessionEnd]?: string } = {
  [SessionEnd.Right]: 'You can no longer control this device.',
  [SessionEnd.Ended]: 'Another user ended this session.',
  [SessionEnd.Stop]: 'The server is restarting.',
};
const SHUTDOWN = 'The server is shutting down.';

/** Time-out of the close of sockets, in milliseconds, and the silent looks after which a socket is pinged and counts as gone. */
interface SessionTimes {
  readonly closeMs: number;
  readonly looksUntilPing: number;
  readonly looksUntilGone: number;
}

/** Two connected sockets. When one ends, the other one does. */
export class RelaySession {
  private hasEnded = false;

  /** `onEnd` is called once. `gates` decide about each message; without them all pass. */
  constructor(
    readonly requester: RelaySocket,
    readonly responder: RelaySocket,
    private readonly times: SessionTimes,
    private readonly onEnd: (end: SessionEnd) => void,
    private readonly gates: RemoteControlGates | null,
  ) {}

  /** Connects the two. */
  begin(): void {
    const { requester, responder } = this;
    requester.connect(responder, (end) => this.left(requester, end), this.gates?.fromViewer);
    responder.connect(requester, (end) => this.left(responder, end), this.gates?.fromAgent);
  }

  /** Ends both sides. Each gets everything sent to it before. Only the first call counts. */
  end(why: SessionEnd, closeMs = this.times.closeMs): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.gates?.end(SENTENCES[why]);
    const isStop = why === SessionEnd.Stop;
    for (const socket of [this.requester, this.responder]) {
      socket.close(isStop ? CloseCode.GoingAway : CloseCode.Normal, isStop ? SHUTDOWN : ENDED, closeMs);
    }
    this.onEnd(why);
  }

  /** Payload that both sides have sent. */
  get payloadBytes(): number {
    return this.requester.payloadBytes + this.responder.payloadBytes;
  }

  /** True if one side has not yet taken everything that the other one has sent. */
  get hasUnsent(): boolean {
    return this.requester.hasUnsent || this.responder.hasUnsent;
  }

  /** Checks that both sides still live; ends the session otherwise. */
  look(): void {
    const { looksUntilPing, looksUntilGone } = this.times;
    const alive = [this.requester, this.responder].map((socket) => socket.look(looksUntilPing, looksUntilGone));
    if (alive.includes(false)) this.end(SessionEnd.Silent);
  }

  private left(socket: RelaySocket, end: SocketEnd): void {
    if (!(end instanceof Error)) return this.end(SessionEnd.Closed);
    socket.close(end instanceof ProtocolViolation ? end.code : CloseCode.ProtocolError, end.message, this.times.closeMs);
    this.end(SessionEnd.Violation);
  }
}
