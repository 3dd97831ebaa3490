import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/*
 * A name server whose answers change. Loaded before a program by `--import`, it answers for the names in the file that CHANGING_NAMES
 * names, `{ "<name>": "<address>" }`, which is read for each question. All other names are looked up as ever.
 */

const file = process.env.CHANGING_NAMES;
const { lookup } = dns;

dns.lookup = (host, options, done) => {
  const address = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))[host];
  if (address === undefined) return lookup(host, options, done);
  const [settings, answer] = typeof options === 'function' ? [{}, options] : [options, done];
  process.nextTick(() => (settings.all === true ? answer(null, [{ address, family: 4 }]) : answer(null, address, 4)));
  return {};
};
syncBuiltinESMExports();
