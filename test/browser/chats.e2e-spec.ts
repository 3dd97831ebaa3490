import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, agentHub, ChatResponseHubDto, hubOk, type ChatMessageHubDto, Timestamp } from '#libs/contracts';

import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, FakeAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/* Chats with the people at several devices in one page. */

const PROCESS = 4711;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`chats in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  /** A device with a person at it, who gets messages and answers them. */
  async function personAt(username: string) {
    const agent = await FakeAgent.online(app.server, await createKeyedDevice(app.server, tenant));
    const messages: ChatMessageHubDto[] = [];
    agent
      .on(agentClient.GetActiveDesktopSessions, () => [
        {
          areRemoteControlPermissionsGranted: true,
          desktopName: '',
          name: 'Console',
          type: 0,
          username,
          processId: PROCESS,
          systemSessionId: 1,
        },
      ])
      .on(agentClient.SendChatMessage, (message) => {
        messages.push(message);
        return hubOk();
      })
      .on(agentClient.CloseChatSession, () => hubOk());
    /** True if the page has shown it. */
    const answer = (message: string): Promise<unknown> => {
      const [{ sessionId, viewerConnectionId }] = messages.slice(-1);
      const timestamp = Timestamp.fromDate(new Date());
      const response = { sessionId, desktopSessionProcessId: PROCESS, message, senderUsername: username, viewerConnectionId, timestamp };
      return agent.connection.invoke(agentHub.SendChatResponse.name, ChatResponseHubDto.encode(response, 'json'));
    };
    return { agent, messages, answer };
  }

  it('tell each person that an answer has arrived, also while another chat runs', async (test) => {
    const people = [await personAt('anna'), await personAt('bert')];
    test.onTestFinished(async () => void (await Promise.all(people.map(({ agent }) => agent.stop()))));
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo('/tags');
    for (const { agent, messages } of people) {
      await page.evaluate(`window.__TSR_ROUTER__.navigate({ href: '/devices/${agent.device.id}/chat' })`);
      await page.getByLabel('Message', { exact: true }).fill('Are you there?');
      await page.keyboard.press('Enter');
      await eventually('the person has the message', () => messages.length === 1);
    }
    for (const { answer } of people) expect(await answer('Yes')).toBe(true);
  });
});
