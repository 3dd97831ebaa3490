import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { Settings } from '../../../../src/platform/config/settings.js';
import { DestinationName } from '../../../../src/system/forwarding/destinations/destination.js';
import { destinationsOf } from '../../../../src/system/forwarding/destinations/destinations.js';
import { ForwardedLog } from '../../../../src/system/forwarding/forwarded-line.js';
import { eventually } from '../../../support/eventually.js';
import { testServer, testTenant } from '../../../support/setup/test-server.js';
import { Authority } from '../../../support/stand-ins/certificates.js';
import { SyslogReceiver } from '../../../support/stand-ins/syslog-receiver.js';
import { WebhookReceiver } from '../../../support/stand-ins/webhook-receiver.js';
import { PATIENT_MS, writeChange } from './write-change.js';

/** Longer than a receiver near by has for its refusal. */
const WAY_BACK_MS = 300;
const LINE = { log: ForwardedLog.ChangeLog, number: '1', writtenAt: new Date(), text: '{}' };

/** A port of this machine from which the way back takes a while. */
async function farAway(port: number): Promise<{ readonly port: number; readonly stop: () => void }> {
  const sockets: Socket[] = [];
  const relay = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => near.destroy());
    near.pipe(far);
    const later = (act: () => void): void => void setTimeout(act, WAY_BACK_MS);
    far.on('data', (piece) => later(() => near.write(piece)));
    far.on('end', () => later(() => near.end()));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const stop = (): void => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (relay.address() as AddressInfo).port, stop };
}

describe('logs for receivers that ask for certificates', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  // Each receiver has authorities of its own, for itself and for its senders.
  const [ofSyslog, ofHttp, syslogSenders, httpSenders] = ['Syslog', 'HTTP', 'Senders of syslog', 'Senders by HTTP'].map(
    (name) => new Authority(name),
  );
  const syslog = await SyslogReceiver.overTls(ofSyslog.issue('localhost'), syslogSenders.cert);
  const http = await WebhookReceiver.startSecure(ofHttp.issue('localhost'), httpSenders.cert);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const [forSyslog, forHttp] = [syslogSenders.issue('Sender of syslog'), httpSenders.issue('Sender by HTTP')];
  const server = testServer({
    Service_Forwarding__SyslogUrl: syslog.url,
    Service_Forwarding__SyslogCaFile: await file('syslog-ca.pem', ofSyslog.cert),
    Service_Forwarding__SyslogCertificateFile: await file('syslog.crt', forSyslog.cert),
    Service_Forwarding__SyslogKeyFile: await file('syslog.key', forSyslog.key),
    Service_Forwarding__HttpUrl: `${http.url}/logs`,
    Service_Forwarding__HttpToken: 'a secret token',
    Service_Forwarding__HttpCaFile: await file('http-ca.pem', ofHttp.cert),
    Service_Forwarding__HttpCertificateFile: await file('http.crt', forHttp.cert),
    Service_Forwarding__HttpKeyFile: await file('http.key', forHttp.key),
    Service_Forwarding__Logs: 'ChangeLog',
  });
  const tenant = testTenant(server);
  afterAll(async () => {
    await syslog.stop();
    await http.stop();
    await rm(folder, { recursive: true });
  });

  /** Sends a line with other options. */
  const send = (name: DestinationName, changes: Partial<Settings['forwarding']>): Promise<void> => {
    const destination = destinationsOf({ ...server.app.get(Settings, { strict: false }).forwarding, ...changes }).get(name);
    if (destination === undefined) throw new Error(`There is no destination ${name}.`);
    return destination.send([LINE], AbortSignal.timeout(PATIENT_MS));
  };
  const none = { path: '', pem: '' };
  const pem = (text: string): Settings['forwarding']['httpKeyFile'] => ({ path: '/somewhere', pem: text });

  it('come with the certificate of the service, by syslog and by HTTP', async () => {
    const id = await writeChange(server, tenant.id);
    await eventually('the message comes', () => syslog.messages.some(({ text }) => text.includes(id)), PATIENT_MS);
    await eventually('the request comes', () => http.at('/logs').some(({ body }) => body.includes(id)), PATIENT_MS);
    expect(new Set(syslog.senders)).toEqual(new Set(['Sender of syslog']));
    expect(http.at('/logs').at(-1)?.headers).toMatchObject({ authorization: 'Bearer a secret token' });
    expect(syslog.faults).toEqual([]);
  });

  it('are refused without one, with the reason', async () => {
    await expect(send(DestinationName.Syslog, { syslogCertificateFile: none, syslogKeyFile: none })).rejects.toThrow(
      /certificate required|ECONNRESET/,
    );
    await expect(send(DestinationName.Http, { httpCertificateFile: none, httpKeyFile: none })).rejects.toThrow(
      /certificate required|ECONNRESET|socket hang up/,
    );
  });

  it('are refused with one of another authority', async () => {
    const changed = { httpCertificateFile: pem(forSyslog.cert), httpKeyFile: pem(forSyslog.key) };
    await expect(send(DestinationName.Http, changed)).rejects.toThrow(/ECONNRESET|socket hang up|disconnected|EPIPE/);
  });

  it('are not lost when such a receiver is far away, and its refusal comes late', async () => {
    const { port, stop } = await farAway(syslog.port);
    try {
      const changed = { syslogUrl: `tls://localhost:${port}`, syslogCertificateFile: pem(forHttp.cert), syslogKeyFile: pem(forHttp.key) };
      await expect(send(DestinationName.Syslog, changed)).rejects.toThrow(/closed the connection before|ECONNRESET|EPIPE/);
      await send(DestinationName.Syslog, { syslogUrl: changed.syslogUrl });
    } finally {
      stop();
    }
  });

  it('are not sent to a receiver whose certificate is from an authority of the other', async () => {
    await expect(send(DestinationName.Syslog, { syslogCaFile: pem(ofHttp.cert) })).rejects.toThrow(/certificate/);
    await expect(send(DestinationName.Http, { httpCaFile: none })).rejects.toThrow(/certificate/);
  });
});
