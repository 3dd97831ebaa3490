import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';

import { agentClient, agentHub, hubOk, TerminalOutputDto, TerminalOutputKind, Timestamp } from '#libs/contracts';

import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, FakeAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * Input for a terminal that comes before its shell is there, and for one of an agent that takes whole lines only.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the input of a terminal${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: FakeAgent;
  const inputs: string[] = [];

  beforeAll(async () => {
    administrator = await app.administrator();
    agent = await FakeAgent.online(app.server, await createKeyedDevice(app.server, await app.tenantOf(administrator)));
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => (inputs.push(input), hubOk()));
    agent.on(agentClient.CloseTerminalSession, () => undefined);
  });
  beforeEach(() => void inputs.splice(0));
  afterAll(() => agent?.stop());

  /** Opens the terminal of the device, whose shell says that it is there. */
  async function open(test: TestContext, supportsRaw: boolean | undefined, isReady: Promise<void> = Promise.resolve()): Promise<Page> {
    agent.on(agentClient.CreateTerminalSession, async (terminalId, viewer) => {
      await isReady;
      const timestamp = Timestamp.fromDate(new Date());
      const output = { terminalId, output: 'Ready.\n', outputKind: TerminalOutputKind.StandardOutput, timestamp, supportsRaw };
      void agent.connection.invoke(agentHub.SendTerminalOutputToViewer.name, viewer, TerminalOutputDto.encode(output, 'json'));
      return hubOk();
    });
    const { page } = await app.open(test, { user: administrator });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/devices/${agent.device.id}/terminal`);
    return page;
  }

  const terminalOf = (page: Page): Locator => page.locator('.xterm-helper-textarea');

  /** Pastes into a field, or into the terminal, which has other keys for it. */
  async function paste(page: Page, into: Locator, text: string): Promise<void> {
    await into.focus();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press((await into.evaluate(({ tagName }) => tagName)) === 'TEXTAREA' ? 'Control+Shift+v' : 'Control+v');
  }

  it('is run line by line where the agent takes whole lines, after a question', async (test) => {
    const page = await open(test, undefined);
    const line = page.getByRole('textbox', { name: 'Command' });
    const question = page.getByRole('dialog', { name: 'Paste several lines?' });
    for (const into of [line, terminalOf(page)]) {
      await line.waitFor();
      await paste(page, into, 'cd /tmp\nls\n');
      await question.getByText('2 lines.').waitFor();
      await question.getByRole('button', { name: 'Paste' }).click();
      await question.waitFor({ state: 'detached' });
      await eventually('both lines have run', () => inputs.length === 2);
      expect(inputs.splice(0)).toEqual(['cd /tmp', 'ls']);
    }
    // One line stays to be edited, with its line end or without.
    await paste(page, line, 'uptime\n');
    expect(await line.inputValue()).toBe('uptime');
  });

  it('is kept whole until the shell is there', async (test) => {
    let ready = (): void => undefined;
    const page = await open(test, true, new Promise((resolve) => (ready = resolve)));
    const text = 'long '.repeat(2000);
    await paste(page, terminalOf(page), text);
    await page.keyboard.type('!');
    ready();
    await eventually('all of it was typed', () => inputs.join('').endsWith('!'));
    expect(inputs.join('')).toBe(`${text}!`);
  });

  it('is asked about on the whole screen, too', async (test) => {
    const page = await open(test, true);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await eventually('it fills the screen', () => page.evaluate<boolean>('document.fullscreenElement !== null'));
    await paste(page, terminalOf(page), 'date\nuptime\n');
    await page.getByRole('dialog').getByRole('button', { name: 'Paste' }).click();
    await eventually('both lines were typed', () => inputs.join('').includes('uptime'));
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Screen reader mode' }).click();
  });

  it('has no terminal to go to where too many are open, and the page says so', async (test) => {
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const { id: deviceId } = await createDevice(app.server, { tenantId: administrator.tenantId, name: 'another', isOnline: true });
    const opened = Array.from({ length: 8 }, (_, at) => {
      const terminal = { terminalId: newGuid(), deviceId: agent.device.id, deviceName: 'first', isRaw: null, isAway: false };
      return { ...terminal, number: at + 1 };
    });
    const { page } = await app.open(test, { user: administrator });
    page.on('dialog', (dialog) => void dialog.accept());
    const stored = JSON.stringify({ userId: administrator.id, value: opened });
    await page.addInitScript(`sessionStorage.setItem('terminals', ${JSON.stringify(stored)})`);
    await page.goto(`/devices/${deviceId}/terminal`);
    await page.getByText('At most 8 terminals and screens can be open. End one first.').waitFor();
  });
});
