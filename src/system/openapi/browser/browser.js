'use strict';

/*
 * Starts Swagger UI with the description that the address names, and adds what it does not have: a list of the groups, a filter over
 * names, paths and permissions, the permission of each operation at a glance, and words on how to authorize.
 */

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

void start(['internal', 'account', 'inventory', 'events'].find((name) => location.pathname.endsWith(`/${name}`)) ?? 'v1');

async function start(name) {
  const address = `/openapi/${name}.json`;
  document.getElementById('document').href = address;
  document.querySelector(`[data-description="${name}"]`).setAttribute('aria-current', 'page');
  followColorScheme();
  const spec = await load(address);
  if (spec === null) return;
  document.title = spec.info.title;
  const ui = SwaggerUIBundle({
    spec: withoutSession(spec),
    dom_id: '#browser',
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [reference(spec)],
    layout: 'BaseLayout',
    deepLinking: true,
    // The group overview comes first: more than a hundred operations at once are no overview.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: '',
    validatorUrl: null,
  });
  listGroups(ui, spec);
  filterOperations(ui, spec);
}

async function load(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return await answer.json();
  } catch {
    // The service is away: the same words as for an answer that is no description.
  }
  document.querySelector('.loading').textContent = `The description could not be loaded from ${address}. Reload the page to try again.`;
  return null;
}

/** The description without the session cookie as a way to authorize: the browser sends it by itself, and no page can set it. */
function withoutSession(spec) {
  const { cookie: _session, ...securitySchemes } = spec.components.securitySchemes;
  const copy = structuredClone({ ...spec, components: { ...spec.components, securitySchemes } });
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item)) operation.security = operation.security.filter((requirement) => !('cookie' in requirement));
  }
  return copy;
}

/** The extension of Swagger UI for a description. */
function reference(spec) {
  return ({ React: { createElement, Fragment } }) => ({
    fn: { opsFilter: filteredGroups },
    wrapComponents: {
      OperationSummaryPath: (Original) => (props) => {
        const { path, method } = props.operationProps.toObject();
        const permission = spec.paths[path][method]['x-permission']?.name;
        const badge = permission && createElement('span', { className: 'permission', title: 'The permission that is needed' }, permission);
        return createElement(Fragment, null, createElement(Original, props), badge);
      },
      authorizeBtn: (Original) => (props) =>
        createElement(
          'div',
          { className: 'authorize-help' },
          createElement(
            'p',
            null,
            'To try operations here, choose ',
            createElement('strong', null, 'Authorize'),
            ' and paste an API key or a personal access token as you received it. It is kept in this page only, until you close or reload it.',
          ),
          createElement(Original, props),
        ),
    },
  });
}

/** The groups with those of their operations that match, as Swagger UI keeps them: immutable collections. */
function filteredGroups(groups, phrase) {
  const wanted = phrase.toLowerCase();
  return groups
    .map((group, name) =>
      name.toLowerCase().includes(wanted)
        ? group
        : group.update('operations', (operations) => operations.filter((operation) => matches(operation.toJS(), wanted))),
    )
    .filter((group) => group.get('operations').size > 0);
}

function matches({ path, method, operation }, wanted) {
  const texts = [`${method} ${path}`, operation.summary ?? '', operation['x-permission']?.name ?? ''];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Every operation of a description with its path and method, by the name of its group. */
function operationsByGroup(spec) {
  const groups = new Map(spec.tags.map(({ name }) => [name, []]));
  for (const [path, item] of Object.entries(spec.paths)) {
    for (const method of METHODS) if (item[method]) groups.get(item[method].tags[0])?.push({ path, method, operation: item[method] });
  }
  return groups;
}

function listGroups(ui, spec) {
  const contents = document.getElementById('contents');
  const wide = matchMedia('(min-width: 64rem)');
  contents.open = wide.matches;
  const operations = operationsByGroup(spec);
  for (const { name } of spec.tags) {
    const link = document.createElement('a');
    link.href = `#/${name}`;
    link.append(name, ' ', count(operations.get(name).length));
    link.addEventListener('click', () => {
      ui.layoutActions.show(['operations-tag', name], true);
      if (!wide.matches) contents.open = false;
      document.getElementById(`operations-tag-${name}`)?.scrollIntoView();
    });
    document.getElementById('groups').append(link);
  }
}

function count(number) {
  const element = document.createElement('small');
  element.textContent = String(number);
  return element;
}

function filterOperations(ui, spec) {
  const groups = operationsByGroup(spec);
  document.getElementById('filter').addEventListener('input', ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    const found = [...groups].filter(
      ([name, operations]) => name.toLowerCase().includes(wanted) || operations.some((each) => matches(each, wanted)),
    );
    ui.layoutActions.updateFilter(wanted);
    for (const [name] of groups) ui.layoutActions.show(['operations-tag', name], wanted !== '' && found.some(([shown]) => shown === name));
    document.getElementById('no-match').hidden = found.length > 0;
    document.querySelector('#browser .opblock-tag-section')?.scrollIntoView();
  });
}

/** Swagger UI has dark colors, under a class. */
function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}
