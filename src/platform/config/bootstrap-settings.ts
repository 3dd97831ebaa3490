import { type Option, OPTIONS, type OptionValues, variableOf } from './options.js';
import type { AdministratorBootstrap, ServiceAccountBootstrap } from './settings.js';

/** Longest name of a service account, as in requests that create one. */
const MAX_ACCOUNT_NAME_LENGTH = 100;
/** Longest description of a service account, in characters: the length of the column. */
const MAX_ACCOUNT_DESCRIPTION_LENGTH = 500;

/** The configured service account, or null; adds a problem for each option of it that is missing or too long. */
export function serviceAccountOf(values: OptionValues['bootstrap'], problems: string[]): ServiceAccountBootstrap | null {
  const name = values.serverServiceAccountName;
  const tokenId = values.serverServiceAccountTokenId;
  const tokenSecret = values.serverServiceAccountTokenSecret;
  const { serverServiceAccountName, serverServiceAccountTokenId, serverServiceAccountTokenSecret } = OPTIONS.bootstrap;
  requireTogether(problems, [
    [serverServiceAccountName, name],
    [serverServiceAccountTokenId, tokenId],
    [serverServiceAccountTokenSecret, tokenSecret],
  ]);
  if (name.length > MAX_ACCOUNT_NAME_LENGTH) {
    problems.push(`${variableOf(serverServiceAccountName.key)}: expected at most ${MAX_ACCOUNT_NAME_LENGTH} characters.`);
  }
  const description = values.serverServiceAccountDescription;
  if (description.length > MAX_ACCOUNT_DESCRIPTION_LENGTH) {
    problems.push(
      `${variableOf(OPTIONS.bootstrap.serverServiceAccountDescription.key)}: expected at most ${MAX_ACCOUNT_DESCRIPTION_LENGTH} characters.`,
    );
  }
  if (name === '' || tokenId === null || tokenSecret === '') return null;
  return { name, description, id: values.serverServiceAccountId, tokenId, tokenSecret };
}

/** The configured administrator, or null; adds a problem for each option of it that is missing. */
export function administratorOf(values: OptionValues['bootstrap'], problems: string[]): AdministratorBootstrap | null {
  const { adminEmail: email, adminPassword: password, adminPatTokenId: id, adminPatSecret: secret } = values;
  const { adminEmail, adminPassword, adminPatTokenId, adminPatSecret } = OPTIONS.bootstrap;
  requireTogether(problems, [
    [adminEmail, email],
    [adminPassword, password],
  ]);
  requireTogether(problems, [
    [adminPatTokenId, id],
    [adminPatSecret, secret],
  ]);
  const personalAccessToken = id === null || secret === '' ? null : { id, secret };
  if (personalAccessToken && email === '')
    problems.push(`${variableOf(adminPatTokenId.key)}: expected together with ${variableOf(adminEmail.key)}.`);
  return email === '' || password === '' ? null : { email, password, personalAccessToken };
}

/** Adds a problem for each option of a set that has no value although another one has. */
function requireTogether(problems: string[], set: readonly (readonly [Option<unknown>, string | null])[]): void {
  const names = set.map(([{ key }]) => variableOf(key));
  const given = set.filter(([, value]) => value !== null && value !== '');
  // A value that was refused is already reported; saying that it is missing would mislead.
  if (given.length === 0 || given.length === set.length || names.some((name) => problems.some((problem) => problem.startsWith(`${name}:`))))
    return;
  const missing = set.filter((pair) => !given.includes(pair)).map(([{ key }]) => variableOf(key));
  for (const name of missing)
    problems.push(
      `${name}: expected a value, because ${names.filter((other) => other !== name).join(' and ')} ${names.length === 2 ? 'needs' : 'need'} it.`,
    );
}
