import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServerLog } from './server-log.js';
import { parsePidFile, type ServerProcess, spawnServer } from './server-process.js';

describe('parsePidFile', () => {
  it('reads the process id, the port and the socket folder', () => {
    const text = '4711\n/data/pg\n1700000000\n5432\n/data/run\n\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 5432, socketDirectory: '/data/run' });
  });

  it('reads the file of a server without a socket', () => {
    const text = '4711\n/data/pg\n1700000000\n40001\n\n127.0.0.1\n   123 456\nready   \n';
    expect(parsePidFile(text)).toEqual({ pid: 4711, port: 40_001, socketDirectory: '' });
  });

  it.each(['', '\n', 'nonsense\n', '0\n'])('is undefined for %j', (text) => {
    expect(parsePidFile(text)).toBeUndefined();
  });

  it('reads the file of a server that has just begun to start', () => {
    expect(parsePidFile('4711\n/data/pg\n')).toEqual({ pid: 4711, port: 0, socketDirectory: '' });
  });
});

describe('spawnServer', () => {
  it('reports the process before it closes the log, even if the program is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spawned-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const log = new SlowLog(join(folder, 'server.log'));
    const spawned = await new Promise<ServerProcess>((resolve, reject) => {
      spawnServer({
        binaries: { postgres: join(folder, 'missing'), initdb: '', pgCtl: '', notices: [] },
        clusterDirectory: folder,
        endpoint: { transport: 'loopback', host: '127.0.0.1', port: 1, user: 'postgres', password: '' },
        account: undefined,
        log,
        settings: {},
        onSpawn: resolve,
      }).catch(reject);
    });
    expect(log.isClosed).toBe(false);
    await expect.poll(() => spawned.isAlive()).toBe(false);
    log.close();
  });
});

/** A log that stays open until it is told to close. */
class SlowLog extends ServerLog {
  isClosed = false;
  close: () => void = () => undefined;
  private readonly told = new Promise<void>((resolve) => (this.close = resolve));

  override async openForServer(): ReturnType<ServerLog['openForServer']> {
    const opened = await super.openForServer();
    return {
      ...opened,
      close: async () => {
        await this.told;
        await opened.close();
        this.isClosed = true;
      },
    };
  }
}
