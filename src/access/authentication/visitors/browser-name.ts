import { parse } from 'bowser';

/** Longest text that is looked at. Browsers send some 150 characters. */
const MAXIMUM_LENGTH = 512;

/** The browser and the system that a `User-Agent` header names, such as `Firefox on Windows`; null when it names neither. */
export function browserName(userAgent: string | null): string | null {
  const text = userAgent?.slice(0, MAXIMUM_LENGTH).trim() ?? '';
  if (text === '') return null;
  const { browser, os } = parse(text);
  const [name, system] = [browser.name ?? '', os.name ?? ''];
  if (name === '' || system === '') return name === '' && system === '' ? null : `${name}${system}`;
  return `${name} on ${system}`;
}
