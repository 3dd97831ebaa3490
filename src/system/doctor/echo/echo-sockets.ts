import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WebSocketServer, type WebSocket } from 'ws';

import { plainAnswer, UpgradeRouter, type Upgrade } from '#libs/signalr';

import { EchoGuard } from './echo-guard.js';
import { ECHO_PATH, MAXIMUM_SILENCE_MS } from './echo-token.js';

/** Most WebSockets of doctors at a time. */
const MAXIMUM_SOCKETS = 16;
/** The request is a number. */
const MAXIMUM_REQUEST_BYTES = 16;
const GOING_AWAY = 1001;

/** WebSockets on which the service answers after a silence that the doctor asks for. */
@Injectable()
export class EchoSockets implements OnModuleInit, BeforeApplicationShutdown {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAXIMUM_REQUEST_BYTES, perMessageDeflate: false });

  constructor(
    private readonly upgrades: UpgradeRouter,
    private readonly guard: EchoGuard,
  ) {}

  onModuleInit(): void {
    this.upgrades.route(ECHO_PATH, (upgrade) => this.arrive(upgrade));
  }

  beforeApplicationShutdown(): void {
    for (const socket of this.server.clients) socket.close(GOING_AWAY);
    this.server.close();
  }

  private arrive(upgrade: Upgrade): void {
    if (this.guard.admit(upgrade.request) === null) return upgrade.refuse(plainAnswer(404, 'Nothing to connect to here.'));
    if (this.server.clients.size >= MAXIMUM_SOCKETS) return upgrade.refuse(plainAnswer(503, 'Too many connections are open.'));
    if (!upgrade.take()) return undefined;
    const { request, socket, head } = upgrade;
    return this.server.handleUpgrade(request, socket, head, answerAfterSilence);
  }
}

/** Answers each request, a number of milliseconds, after that time. Sends nothing until then. */
function answerAfterSilence(socket: WebSocket): void {
  let timer: NodeJS.Timeout | undefined;
  // It is closed after its errors.
  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(timer));
  socket.on('message', (data: Buffer) => {
    clearTimeout(timer);
    const silenceMs = Number(data.toString());
    if (!(silenceMs >= 0 && silenceMs <= MAXIMUM_SILENCE_MS)) return socket.terminate();
    timer = setTimeout(() => socket.send(data.toString()), silenceMs);
    return undefined;
  });
}
