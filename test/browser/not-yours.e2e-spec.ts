import { beforeAll, describe, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createTenant,
  createUserGroup,
  grant,
  grantAll,
  holder,
} from '../support/fixtures/factories.js';
import { addressesIn } from './support/addresses.js';
import { eventually } from '../support/eventually.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window, Windows } from './support/front-end.js';

/*
 * Pages of things that are not the caller's. An id that nothing has, one of another tenant and one that the caller may not read lead to
 * the same page: it must not tell which ids exist.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Every address with an id in it. The code of an invitation is a secret, not an id. */
const PATTERNS = built.pages.filter((pattern) => pattern.includes('$') && !pattern.includes('$code'));

/** Pages of things that are no secret within a tenant, with the reason. */
const READ_BY_ALL: Readonly<Record<string, string>> = {
  '/tags/$tagId': 'every user of a tenant reads its tags',
  '/server/tenants/$tenantId/change-log': 'users know their own tenant',
};

suite(`things of others in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let unknown: (pattern: string) => string;
  let foreign: (pattern: string) => string;
  let unreadable: (pattern: string) => string;
  let ofReader: Windows;
  let ofNarrow: Windows;

  beforeAll(async () => {
    const tenant = await createTenant(app.server, { name: 'Contoso' });
    const scene = new Scene(app.server, tenant);
    unreadable = await addressesIn(scene);
    foreign = await addressesIn(new Scene(app.server, await createTenant(app.server, { name: 'Fabrikam' })));
    unknown = (pattern) => pattern.replaceAll(/\$\w+/g, newGuid);

    // Reads everything of its tenant.
    const reader = await createPerson(app.server, { tenantId: tenant.id });
    const reads = [
      Permission.DeviceRead,
      Permission.DeviceOverviewRead,
      Permission.InstallerKeyRead,
      Permission.ServiceAccountRead,
      Permission.TenantAuthorizationLogsRead,
      Permission.TenantCustomersRead,
      Permission.TenantDeviceGroupsRead,
      Permission.TenantPermissionsRead,
      Permission.TenantUserGroupsRead,
      Permission.TenantUsersRead,
    ];
    await grantAll(app.server, holder.user(reader), reads, at.tenant(tenant));
    // Reads one of each kind, where permissions can be given on one.
    const narrow: User = await createPerson(app.server, { tenantId: tenant.id });
    const principal = holder.user(narrow);
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const group = await createDeviceGroup(app.server, { tenantId: tenant.id });
    const customer = await createCustomer(app.server, { tenantId: tenant.id });
    const userGroup = await createUserGroup(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal, permission: Permission.DeviceRead, scope: at.device(device) });
    await grant(app.server, { principal, permission: Permission.DeviceGroupAssignDevices, scope: at.deviceGroup(group) });
    await grant(app.server, { principal, permission: Permission.DeviceRead, scope: at.customer(customer) });
    await grant(app.server, { principal, permission: Permission.UserGroupAssignUsers, scope: at.userGroup(userGroup) });

    const allowedRefusals = [/^(?:403|404) /];
    ofReader = new Windows(app, { user: reader, allowedRefusals });
    ofNarrow = new Windows(app, { user: narrow, allowedRefusals });
  });

  /** The text and the links of the page at an address, without the id. */
  const shown = async (window: Window, address: string): Promise<unknown> => {
    await window.follow(address);
    // The sentence of a refusal comes with the names of permissions.
    // Waiting within the page would evaluate a text there, which the policy forbids.
    await eventually('the refusals have their sentences', () =>
      window.page.evaluate<boolean>(
        `[...document.querySelectorAll('main [role=alert]')].every((each) => each.querySelectorAll('p').length > 1)`,
      ),
    );
    return window.page.evaluate(
      `(() => {
        const withoutId = (text) => text.replaceAll(${ID.toString()}, 'ID');
        const whole = document.querySelector('[role=dialog]') ?? document.querySelector('main');
        return {
          title: withoutId(document.title),
          headings: [...whole.querySelectorAll('h1, h2, [role=alert]')].map((each) => withoutId(each.innerText)),
          text: withoutId(whole.innerText),
          links: [...whole.querySelectorAll('a[href]')].map((each) => withoutId(each.getAttribute('href'))),
        };
      })()`,
    );
  };

  it.concurrent.for(PATTERNS)('%s', async (pattern, test) => {
    const { expect } = test;
    const reader = await ofReader.take(test);
    expect.soft(await shown(reader, foreign(pattern)), 'of another tenant').toEqual(await shown(reader, unknown(pattern)));
    const narrow = await ofNarrow.take(test);
    const nothing = await shown(narrow, unknown(pattern));
    expect.soft(await shown(narrow, foreign(pattern)), 'of another tenant, for one who reads little').toEqual(nothing);
    if (READ_BY_ALL[pattern] === undefined) expect.soft(await shown(narrow, unreadable(pattern)), 'unreadable').toEqual(nothing);
  });
});
