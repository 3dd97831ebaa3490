export default async function globalTeardown() {
  for (const stop of globalThis.stopBrokers) await stop();
}
