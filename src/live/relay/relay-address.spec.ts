import { describe, expect, it } from 'vitest';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { relayAddressProblem } from './relay-address.js';

const SESSION = newGuid();
const QUERY = `sessionId=${SESSION}&accessToken=token&timeout=30&role=responder`;
const PLACE = { hosts: ['devices.example.org', 'other.example:8443', '[::1]:8080'], basePath: '/base' };

const problemOf = (address: string): string | null => relayAddressProblem(address, SESSION, PLACE);

describe('the address at which a device joins a session', () => {
  it.each([
    `wss://devices.example.org/relay?${QUERY}`,
    `ws://devices.example.org/relay?${QUERY}`,
    `WSS://Devices.Example.org/Relay/?${QUERY}`,
    `wss://devices.example.org:443/relay?${QUERY}`,
    `wss://devices.example.org/base/relay?${QUERY}`,
    `ws://other.example:8443/relay?${QUERY}`,
    `ws://[::1]:8080/relay?${QUERY}`,
    `wss://devices.example.org/relay?SESSIONID=%20${SESSION.toUpperCase()}&AccessToken=x&role=1`,
    `wss://devices.example.org/relay?${QUERY}&sessionId=${newGuid()}`,
  ])('can be %s', (address) => {
    expect(problemOf(address)).toBeNull();
  });

  it.each<[string, RegExp]>([
    ['', /must be an address such as/],
    [`https://devices.example.org/relay?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org/relay#?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org/relay?${QUERY}#x`, /must be an address such as/],
    [`wss://user@devices.example.org/relay?${QUERY}`, /must be an address such as/],
    [`wss:\\\\devices.example.org/relay?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org\\@evil.example/relay?${QUERY}`, /must be an address such as/],
    [` wss://devices.example.org/relay?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org/re\tlay?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org:99999/relay?${QUERY}`, /must be an address such as/],
    [`wss://devices.example.org/hubs/agent?${QUERY}`, /the path \/relay/],
    [`wss://devices.example.org/relay/../hubs/agent?${QUERY}`, /the path \/relay/],
    [`wss://devices.example.org/relay/below?${QUERY}`, /the path \/relay/],
    [`wss://devices.example.org/%72elay?${QUERY}`, /the path \/relay/],
    [`wss://devices.example.org/relay?accessToken=x&role=responder`, /sessionId must be a GUID/],
    [`wss://devices.example.org/relay?sessionId=${SESSION}&role=responder`, /accessToken is missing/],
    [`wss://devices.example.org/relay?sessionId=${SESSION}&accessToken=x`, /role must be/],
    [`wss://devices.example.org/relay?sessionId=${SESSION}&accessToken=x&role=requester`, /the role responder/],
    [`wss://devices.example.org/relay?sessionId=${newGuid()}&accessToken=x&role=responder`, /the sessionId of the request/],
    [`wss://devices.example.org/relay?sessionId=${newGuid()}&${QUERY}`, /the sessionId of the request/],
    [`wss://evil.example/relay?${QUERY}`, /lead to this service/],
    [`wss://devices.example.org.evil.example/relay?${QUERY}`, /lead to this service/],
    [`wss://devices.example.org:8443/relay?${QUERY}`, /lead to this service/],
    [`wss://other.example/relay?${QUERY}`, /lead to this service/],
  ])('cannot be %s', (address, problem) => {
    expect(problemOf(address)).toMatch(problem);
  });

  it('is refused where no host is known', () => {
    expect(relayAddressProblem(`wss:///relay?${QUERY}`, SESSION, { hosts: [''], basePath: '' })).toMatch(/must be an address/);
    expect(relayAddressProblem(`wss://devices.example.org/relay?${QUERY}`, SESSION, { hosts: [''], basePath: '' })).toMatch(/lead to this/);
  });
});
