/*
 * Files of the front desk's desktop: its looks, and what its programs show.
 */

/** Text in the editor. */
export const HANDOVER = `Monday, 2 March
===============

Open
 - Card reader at desk 2: push the cable in firmly.
   New cable is ordered, comes on Wednesday.
 - Ms Brandt asks for a copy of her X-ray (desk 1).

Done
 - Toner in the front-desk printer changed.
 - Price list 2026 is on both desks.
 - Backup of the weekend verified, 214 files.

For the late shift
 - Dr. Okafor leaves at 16:00, last patient 15:30.
 - Lock the door to the archive.
`;

export const SHELL_RC = `PS1='\\[\\e[38;5;115m\\]reception@HOST\\[\\e[0m\\]:\\[\\e[38;5;110m\\]~\\[\\e[0m\\]$ '
clear
PROMPT_COMMAND='PROMPT_COMMAND=; for line in "cat check-in.conf" "tail -n 5 backup.log"; do printf "%s%s\\n" "\${PS1@P}" "$line" | tr -d "\\001\\002"; eval "$line"; done'
`;

export const GTK_SETTINGS = `[Settings]
gtk-theme-name=Adwaita
gtk-icon-theme-name=Adwaita
gtk-font-name=DejaVu Sans 13
gtk-xft-antialias=1
gtk-xft-hinting=1
gtk-xft-hintstyle=hintslight
`;

/** Version, width, height, font, and three switches: wrapped lines, line numbers, indentation. */
export const EDITOR_SETTINGS = '0.8.18.1.11\n690\n440\nDejaVu Sans Mono 13\n0\n0\n0\n';

export const WINDOWS_CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <placement><policy>Smart</policy></placement>
  <theme>
    <name>Workplace</name>
    <titleLayout>LIMC</titleLayout>
    <keepBorder>yes</keepBorder>
    ${['ActiveWindow', 'InactiveWindow'].map((place) => `<font place="${place}"><name>DejaVu Sans</name><size>12</size></font>`).join('\n    ')}
  </theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <applications>
    <application class="L3afpad"><position force="yes"><x>1176</x><y>112</y></position><size><width>690</width><height>430</height></size></application>
  </applications>
</openbox_config>
`;

export const WINDOWS_THEME = `padding.width: 10
padding.height: 8
border.width: 1
window.client.padding.width: 0
window.handle.width: 0
window.active.border.color: #22384a
window.inactive.border.color: #5d7480
window.active.title.bg: flat solid
window.active.title.bg.color: #22384a
window.inactive.title.bg: flat solid
window.inactive.title.bg.color: #5d7480
window.active.label.bg: parentrelative
window.inactive.label.bg: parentrelative
window.active.label.text.color: #ffffff
window.inactive.label.text.color: #e6edf0
window.label.text.justify: left
window.active.button.*.bg: parentrelative
window.inactive.button.*.bg: parentrelative
window.active.button.unpressed.image.color: #ffffff
window.inactive.button.unpressed.image.color: #e6edf0
`;

export const PANEL = `rounded = 0
border_width = 0
background_color = #14242f 92
rounded = 4
border_width = 0
background_color = #ffffff 12
rounded = 4
border_width = 0
background_color = #ffffff 28
panel_items = TFC
panel_size = 100% 48
panel_position = bottom center horizontal
panel_padding = 10 6 8
panel_background_id = 1
wm_menu = 0
strut_policy = follow_size
taskbar_mode = single_desktop
taskbar_padding = 0 0 8
taskbar_hide_if_empty = 0
task_text = 1
task_icon = 1
task_centered = 0
task_maximum_size = 280 36
task_padding = 10 4 8
task_font = DejaVu Sans 12
task_font_color = #e6edf0 100
task_background_id = 2
task_active_background_id = 3
time1_format = %H:%M
time1_font = DejaVu Sans 14
clock_font_color = #ffffff 100
clock_padding = 14 0
`;

const HOURS = ['8:00', '9:00', '10:00', '11:00', '12:00', '13:00', '14:00'];
/** Column, begin and length in half hours, name and reason. */
const VISITS: readonly (readonly [column: number, begin: number, length: number, name: string, reason: string])[] = [
  [1, 0, 2, 'Anna Brandt', 'Check-up'],
  [1, 3, 3, 'Jonas Keller', 'Crown, second visit'],
  [1, 7, 1, 'Mia Lorenz', 'Cleaning'],
  [1, 9, 3, 'Paul Nowak', 'Filling'],
  [2, 1, 1, 'Emil Sander', 'X-ray'],
  [2, 2, 2, 'Clara Haas', 'Check-up'],
  [2, 5, 2, 'David Okoye', 'Implant, advice'],
  [2, 10, 2, 'Lea Winter', 'Check-up'],
  [3, 0, 3, 'Nora Fink', 'Root canal'],
  [3, 4, 1, 'Ben Albrecht', 'Cleaning'],
  [3, 6, 2, 'Ida Roth', 'Braces, fitting'],
  [3, 9, 2, 'Tom Berger', 'Check-up'],
];
const DENTISTS = ['Dr. Okafor', 'Dr. Meier', 'Dr. Schulz'];

const column = (index: number): string => `grid-column:${index + 1}`;
const visit = ([place, begin, length, name, reason]: (typeof VISITS)[number]): string =>
  `<div class="visit c${place}" style="${column(place)};grid-row:${begin + 2}/span ${length}"><b>${name}</b>${reason}</div>`;

/** The page that the browser shows: the day of three dentists. */
export const APPOINTMENTS = `<!doctype html>
<meta charset="utf-8">
<title>Acme Dental – Appointments</title>
<style>
  body { margin: 0; height: 100vh; overflow: hidden; display: grid; grid-template-rows: auto 1fr; background: #f6f8f9; color: #1d2b36;
    font: 17px/1.35 'DejaVu Sans', sans-serif; }
  header { display: flex; align-items: center; gap: 18px; padding: 18px 26px; background: #0f5257; color: #fff; }
  h1 { margin: 0; font-size: 24px; font-weight: 400; flex: 1; }
  header span { padding: 7px 16px; border-radius: 8px; background: #ffffff26; }
  main { display: grid; grid-template: 50px repeat(13, 1fr) / 84px repeat(3, 1fr); padding: 0 26px 20px 10px; min-height: 0; }
  h2 { margin: 0; align-self: center; font-size: 18px; font-weight: 600; padding-left: 12px; }
  time { text-align: right; padding-right: 14px; color: #647785; grid-column: 1; }
  hr { margin: 0; border: 0; border-top: 1px solid #dbe2e6; grid-column: 2 / 5; }
  .visit { margin: 3px 5px; padding: 3px 12px; line-height: 1.25; border-radius: 8px; border-left: 5px solid; overflow: hidden; }
  .visit b { display: block; font-weight: 600; }
  .c1 { background: #d9eeee; border-color: #16808a; } .c2 { background: #e3e6fb; border-color: #5662c8; }
  .c3 { background: #fbe9d7; border-color: #cf7a1f; }
</style>
<header><h1>Monday, 2 March 2026</h1><span>Today</span><span>Day</span><span>+ Appointment</span></header>
<main>
  ${DENTISTS.map((name, index) => `<h2 style="${column(index + 1)};grid-row:1">${name}</h2>`).join('')}
  ${HOURS.map((hour, index) => `<time style="grid-row:${index * 2 + 2}">${hour}</time><hr style="grid-row:${index * 2 + 2}">`).join('')}
  ${VISITS.map(visit).join('')}
</main>`;
