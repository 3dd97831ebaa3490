import type { Action, Letter, Letterhead } from './letter.js';
import { markup, type Markup } from './markup.js';

/* Many mail programs know neither classes nor media queries, so that every element has its light colours with it. Those that know
   them take the dark colours from the style sheet. Tables, because Outlook on Windows lays out nothing else. */

const LIGHT = {
  canvas: '#f6f7f9',
  surface: '#ffffff',
  text: '#161b22',
  muted: '#525c6b',
  line: '#dfe3e8',
  accent: '#0b5cc4',
  ink: '#ffffff',
};
const DARK = {
  canvas: '#0e1217',
  surface: '#151a21',
  text: '#e7ecf3',
  muted: '#a3adbb',
  line: '#2a323d',
  accent: '#7db2ff',
  ink: '#08182e',
};

const FONT = "font-family: 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const BODY = `${FONT}; font-size: 16px; line-height: 24px; color: ${LIGHT.text}`;
const SMALL = `${FONT}; font-size: 14px; line-height: 20px; color: ${LIGHT.muted}`;
const LINK = `color: ${LIGHT.accent}; text-decoration: underline`;

const STYLES = markup`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas { background-color: ${DARK.canvas} !important; }
  .surface { background-color: ${DARK.surface} !important; border-color: ${DARK.line} !important; }
  .text { color: ${DARK.text} !important; }
  .muted { color: ${DARK.muted} !important; }
  .link { color: ${DARK.accent} !important; }
  .button { background-color: ${DARK.accent} !important; }
  .ink { color: ${DARK.ink} !important; }
}
@media (max-width: 520px) {
  .margin { padding: 16px 8px !important; }
  .surface { padding: 24px 20px 8px !important; }
  .wide { width: 100% !important; }
}
`;

/** Lists of mails fill the line after the preview with the text that follows. These characters have no width and keep it away. */
const FILLER = Array.from({ length: 80 }, () => markup`&#847;&zwnj;&nbsp;`);

const TABLE = markup`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/** The letter as a page of HTML that loads nothing. */
export function letterHtml({ serviceName, serviceAddress }: Letterhead, letter: Letter): string {
  const { title, preview, before, facts = [], action, after } = letter;
  return markup`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${title}</title>
<style>${STYLES}</style>
</head>
<body class="canvas" style="margin: 0; padding: 0; background-color: ${LIGHT.canvas}; -webkit-text-size-adjust: 100%">
<div style="display: none; max-height: 0; overflow: hidden; mso-hide: all">${preview}${FILLER}</div>
<table ${TABLE} class="canvas" width="100%" bgcolor="${LIGHT.canvas}" style="background-color: ${LIGHT.canvas}">
<tr><td class="margin" align="center" style="padding: 32px 16px">
<!--[if mso]><table ${TABLE} width="560"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width: 560px">
<tr><td class="muted" align="left" style="padding: 0 4px 12px; ${SMALL}; font-weight: bold">${serviceName}</td></tr>
<tr><td class="surface" align="left" bgcolor="${LIGHT.surface}"
  style="padding: 32px 32px 16px; background-color: ${LIGHT.surface}; border: 1px solid ${LIGHT.line}; border-radius: 12px">
<h1 class="text"
  style="margin: 0 0 16px; ${FONT}; font-size: 22px; line-height: 30px; font-weight: bold; color: ${LIGHT.text}; word-break: break-word">${title}</h1>
${before.map(paragraphHtml)}${facts.length === 0 ? null : factsHtml(facts)}${action === undefined ? null : actionHtml(action)}${after.map(paragraphHtml)}</td></tr>
<tr><td class="muted" align="left" style="padding: 16px 4px 0; ${SMALL}; word-break: break-word">
Sent automatically by ${serviceName},<br><a class="link" href="${serviceAddress}" style="${LINK}">${serviceAddress}</a></td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`.toString();
}

function paragraphHtml(paragraph: string): Markup {
  return markup`<p class="text" style="margin: 0 0 16px; ${BODY}; word-break: break-word">${paragraph}</p>
`;
}

function factsHtml(facts: readonly (readonly [string, string])[]): Markup {
  const rows = facts.map(
    ([word, value]) => markup`<tr>
<td class="muted" valign="top" style="padding: 2px 16px 2px 0; ${SMALL}; white-space: nowrap">${word}</td>
<td class="text" valign="top" style="padding: 2px 0; ${SMALL}; color: ${LIGHT.text}; word-break: break-word">${value}</td>
</tr>
`,
  );
  return markup`<table ${TABLE} style="margin: 0 0 16px">
${rows}</table>
`;
}

function actionHtml({ label, link }: Action): Markup {
  return markup`<table ${TABLE} class="wide" style="margin: 8px 0 16px">
<tr><td class="button" align="center" bgcolor="${LIGHT.accent}" style="background-color: ${LIGHT.accent}; border-radius: 8px; mso-padding-alt: 12px 24px">
<a class="ink" href="${link}"
  style="display: block; padding: 12px 24px; ${BODY}; font-weight: bold; color: ${LIGHT.ink}; text-decoration: none">${label}</a></td></tr>
</table>
<p class="muted" style="margin: 0 0 24px; ${SMALL}; word-break: break-all">Or open this address:<br><a class="link" href="${link}" style="${LINK}">${link}</a></p>
`;
}
