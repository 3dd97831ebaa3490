import pg from 'pg';

import { bigCustomerId, bigGroupId, bigUserId, growPeople, LARGE } from '../harness/people.js';
import { median } from '../harness/rounds.js';
import { FOUR_CORES, type Measurement, type WebBench } from './measurement.js';
import { isOfThePage } from './page-requests.js';
import { LOADED_ROW, Stage } from './stage.js';

const DEVICES = 25_000;
const RUNS = 5;
const MS_PER_S = 1000;
/** A page is final that has changed nothing for so long. */
const QUIET_MS = 400;
/** The fleet is furnished with this many customers. */
const FURNISHED_CUSTOMERS = 100;

/** Notes when the document changed last. */
const WATCH = `
  window.benchChanged = 0;
  new MutationObserver(() => { window.benchChanged = performance.now(); }).observe(document, { childList: true, subtree: true, characterData: true });`;

/** Waits until nothing changes any more, and returns the time of the last change and the number of elements. */
const FINAL = `new Promise((resolve) => {
  const look = () => {
    if (performance.now() - window.benchChanged < ${QUIET_MS}) return setTimeout(look, 50);
    resolve({ final: window.benchChanged, nodes: document.querySelectorAll('*').length });
  };
  look();
})`;

interface LargePage {
  readonly what: string;
  readonly path: string;
  /** Selector, or text, of what is there once the page has its data. */
  readonly ready: string;
  /** Most requests; of pages of administration at most five. */
  readonly requests?: number;
}

const WHO = `who=User:${bigUserId(1)}`;
const ON = `on=CustomerTenant:${bigCustomerId(140)}`;

const PAGES: readonly LargePage[] = [
  { what: 'devices', path: '/devices', ready: LOADED_ROW, requests: 10 },
  { what: 'users', path: '/users', ready: 'text=user-0001@example.org' },
  { what: 'user groups', path: '/user-groups', ready: 'text=team 001' },
  { what: 'one user group', path: `/user-groups/${bigGroupId(1)}`, ready: 'h1:has-text("team 001")' },
  { what: 'customers', path: '/customers', ready: 'text=company 001' },
  { what: 'one customer', path: `/customers/${bigCustomerId(140)}`, ready: 'h1:has-text("company 140")' },
  { what: 'device groups', path: '/device-groups', ready: 'text=group 1' },
  { what: 'permissions of a user', path: `/users/${bigUserId(1)}/access`, ready: 'th:has-text("company 140")' },
  { what: 'why, one permission', path: `/effective-permissions?${WHO}&what=device.read&${ON}`, ready: 'table' },
  { what: 'why, all permissions', path: `/effective-permissions?${WHO}&what=everything&${ON}`, ready: 'table' },
  { what: 'change log', path: '/change-log', ready: 'h1', requests: 8 },
];

interface Visit {
  readonly requests: number;
  readonly nodes: number;
  /** Milliseconds. */
  readonly final: number;
}

/** Lists and pages of administration of a large tenant: requests, elements, and the time until nothing changes any more. */
export const largeTenant: WebBench = {
  title: 'pages of a large tenant',
  measure: () =>
    Stage.play(DEVICES, async (stage) => {
      await fill(stage);
      const measurements: Measurement[] = [];
      for (const page of PAGES) {
        // The first visit compiles the service's code.
        await visit(stage, page);
        const visits: Visit[] = [];
        for (let run = 0; run < RUNS; run += 1) visits.push(await visit(stage, page));
        measurements.push(...measurementsOf(page, visits));
      }
      return measurements;
    }),
};

async function fill(stage: Stage): Promise<void> {
  const client = new pg.Client(stage.service.database);
  await client.connect();
  try {
    await growPeople(client, stage.fleet.tenantId, { ...LARGE, customers: LARGE.customers - FURNISHED_CUSTOMERS });
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}

async function visit(stage: Stage, { path, ready }: LargePage): Promise<Visit> {
  const { page, close } = await stage.open({}, WATCH);
  try {
    let requests = 0;
    page.on('request', (request) => {
      if (isOfThePage(request.url())) requests += 1;
    });
    await page.goto(path);
    await page.locator(ready).first().waitFor();
    const { final, nodes } = await page.evaluate<Omit<Visit, 'requests'>>(FINAL);
    return { requests, nodes, final };
  } finally {
    await close();
  }
}

function measurementsOf({ what, requests: atMost = 5 }: LargePage, visits: readonly Visit[]): Measurement[] {
  const of = (value: (visit: Visit) => number): number => median(visits.map(value));
  const page = `large tenant, ${what}`;
  return [
    { what: `${page}: requests`, value: of(({ requests }) => requests), unit: '', atMost },
    { what: `${page}: elements`, value: of(({ nodes }) => nodes), unit: '', atMost: 3000 },
    { what: `${page}: final figures`, value: of(({ final }) => final) / MS_PER_S, unit: 's', atMost: 1.5, notes: [FOUR_CORES] },
  ];
}
