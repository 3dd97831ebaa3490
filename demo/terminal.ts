import { randomUUID } from 'node:crypto';

import { HttpTransportType, HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';

const DEADLINE_MS = 60_000;

interface HubResult {
  readonly isSuccess: boolean;
  readonly reason?: string | null;
}

interface TerminalOutput {
  readonly terminalId: string;
  readonly output: string;
}

/** A terminal on a device, through the viewer hub. */
export class Terminal {
  private readonly terminalId = randomUUID();
  private output = '';
  private onOutput: () => void = () => undefined;

  private constructor(
    private readonly hub: HubConnection,
    private readonly deviceId: string,
  ) {
    hub.on('ReceiveTerminalOutput', ({ terminalId, output }: TerminalOutput) => {
      if (terminalId !== this.terminalId) return;
      this.output += output;
      this.onOutput();
    });
  }

  /** Connects as a viewer and opens a terminal. */
  static async open(url: string, key: string, deviceId: string): Promise<Terminal> {
    const hub = new HubConnectionBuilder()
      .withUrl(`${url}/hubs/viewer`, { transport: HttpTransportType.WebSockets, headers: { 'x-api-key': key } })
      .configureLogging(LogLevel.None)
      .build();
    const terminal = new Terminal(hub, deviceId);
    await hub.start();
    await terminal.call('CreateTerminalSession2', { deviceId, terminalId: terminal.terminalId });
    return terminal;
  }

  /** Runs a command and waits for the text in its output. */
  async run(command: string, expected: RegExp): Promise<string> {
    const { terminalId, deviceId } = this;
    await this.call('SendTerminalInput2', { deviceId, input: { terminalId, input: command, viewerConnectionId: null } });
    return this.untilOutput(expected);
  }

  async close(): Promise<void> {
    await this.call('CloseTerminalSession2', { deviceId: this.deviceId, terminalId: this.terminalId });
    await this.hub.stop();
  }

  private async call(method: string, request: object): Promise<void> {
    const { isSuccess, reason } = await this.hub.invoke<HubResult>(method, request);
    if (!isSuccess) throw new Error(`${method} was refused: ${reason ?? 'without a reason'}`);
  }

  private untilOutput(expected: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The terminal did not print ${expected}, but: ${this.output}`)), DEADLINE_MS);
      this.onOutput = () => {
        const found = expected.exec(this.output);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found[0]);
      };
      this.onOutput();
    });
  }
}
