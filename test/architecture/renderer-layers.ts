/**
 * The layers of the renderer, from the bottom up: each folder of `src-renderer` imports only folders above it in this
 * list.
 *
 * Invariants:
 * - One row per folder.
 * - Of `src-main`, the renderer imports only the contract.
 * - No folder uses Node.js.
 */
import type { Layer } from './layer.ts';

const contract = 'src-main/contract';
const renderer = 'src-renderer';
const visitor = `${renderer}/visitor`;
const staff = `${renderer}/staff`;

const times = `${renderer}/times.ts`;
const link = `${renderer}/link`;
const messages = `${renderer}/messages`;
const theme = `${renderer}/theme`;
const sound = `${renderer}/sound`;
const device = `${renderer}/device`;
const widgets = `${renderer}/widgets`;
const state = `${visitor}/state`;
const wording = `${visitor}/wording`;
const input = `${visitor}/input`;
const notice = `${visitor}/notice`;
const content = `${visitor}/content`;
const session = `${visitor}/session`;
const outcome = `${visitor}/outcome`;
const ring = `${visitor}/ring`;
const speech = `${visitor}/speech`;
const camera = `${visitor}/camera`;
const comfort = `${visitor}/comfort`;
const attract = `${visitor}/attract`;

/** The sections of the staff pages and their shared parts. */
const staffFolders = [
  ...['address', 'entry', 'parts', 'media', 'lead', 'delivery', 'destinations', 'list', 'commands'],
  ...[
    'numbers',
    'companies',
    'worklist',
    'handover',
    'sheet',
    'team',
    'hot-rule',
    'setup',
    'about',
    'rehearsal',
    'health',
  ],
];

const aria = 'react-aria-components';
const queries = '@tanstack/react-query';

const row = (path: string, mayImport: readonly string[], packages: readonly string[] = []): Layer => ({
  path,
  mayImport,
  packages,
  node: [],
});

export const rendererLayers: readonly Layer[] = [
  row(times, []),
  row(link, [contract, times], ['@orpc/client', '@orpc/contract types only', 'partysocket']),
  row(messages, [], ['react', 'react-intl']),
  row(theme, [contract]),
  row(sound, [times]),
  row(device, [contract]),
  row(widgets, [messages, times], ['react', aria, 'uqr']),

  row(state, [contract, times, link, device], ['@orpc/contract types only']),
  row(wording, [contract, messages, device, state], ['react']),
  row(input, [contract, times, link, messages, state], ['react', aria, 'react-intl', 'pinyin-match']),
  row(notice, [contract, messages, widgets, state], ['react', aria, 'react-intl']),
  row(content, [contract, times, link, messages, widgets, input], ['react', aria, queries]),
  row(
    session,
    [contract, link, messages, widgets, state, wording, input, notice, content],
    ['react', aria, 'react-intl'],
  ),
  row(outcome, [contract, link, messages, sound, widgets, state, content, session], [aria, 'react-intl']),
  row(ring, [contract, widgets, state], ['react']),
  row(camera, [times, messages], ['react', aria, 'zxing-wasm']),
  row(speech, [contract, times, messages, state, wording], ['react', aria, 'react-intl']),
  row(comfort, [contract, times, messages, theme, state, speech, widgets], ['react', aria, 'react-intl']),
  row(
    attract,
    [contract, times, link, messages, widgets, state, notice, outcome, camera, speech, comfort],
    ['react', aria, queries],
  ),
  row(
    `${visitor}/screen`,
    [
      ...[contract, times, link, messages, sound, widgets, state, wording, input, notice],
      ...[content, session, outcome, ring, camera, speech, comfort, attract],
    ],
    ['react', aria, 'react-intl', queries],
  ),

  row(`${staff}/address`, [contract], ['react']),
  row(`${staff}/entry`, [contract, times, link, messages, widgets], ['react', aria, queries]),
  row(
    `${staff}/parts`,
    [contract, times, link, messages, `${staff}/address`],
    ['react', aria, 'react-intl', queries],
  ),
  row(`${staff}/media`, [contract, times, link, messages, camera], ['react', aria]),
  row(
    `${staff}/destinations`,
    [contract, times, link, messages, `${staff}/address`],
    ['react', aria, queries],
  ),
  row(
    `${staff}/lead`,
    [
      contract,
      times,
      link,
      messages,
      ...['address', 'entry', 'parts', 'media', 'destinations'].map((folder) => `${staff}/${folder}`),
    ],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${staff}/delivery`,
    [
      ...[contract, times, link, messages, device],
      ...['address', 'parts', 'destinations'].map((folder) => `${staff}/${folder}`),
    ],
    ['react', aria, queries],
  ),
  row(
    `${staff}/hot-rule`,
    [contract, link, messages, `${staff}/parts`],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${staff}/list`,
    [
      ...[contract, times, link, messages],
      ...['address', 'entry', 'parts', 'lead', 'delivery', 'hot-rule'].map((folder) => `${staff}/${folder}`),
    ],
    ['react', 'react-dom', aria, 'react-intl', queries, '@tanstack/react-virtual'],
  ),
  row(
    `${staff}/commands`,
    [contract, link, messages, ...['address', 'parts'].map((folder) => `${staff}/${folder}`)],
    ['react', aria, queries],
  ),
  row(`${staff}/companies`, [contract, times, link, messages, `${staff}/address`], ['react', aria, queries]),
  row(
    `${staff}/numbers`,
    [contract, times, link, messages, ...['address', 'parts'].map((folder) => `${staff}/${folder}`)],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${staff}/worklist`,
    [
      contract,
      times,
      link,
      messages,
      ...['address', 'parts', 'media', 'lead'].map((folder) => `${staff}/${folder}`),
    ],
    ['react', aria, queries],
  ),
  row(
    `${staff}/handover`,
    [contract, times, link, messages, ...['address', 'parts'].map((folder) => `${staff}/${folder}`)],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${staff}/rehearsal`,
    [contract, link, messages, `${staff}/address`, `${staff}/parts`],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${staff}/health`,
    [contract, times, link, messages, `${staff}/parts`, `${staff}/rehearsal`],
    ['react', queries],
  ),
  row(`${staff}/sheet`, [contract, times, link, messages, `${staff}/parts`], [aria, 'react-intl', queries]),
  row(`${staff}/about`, [messages], [queries]),
  row(
    `${staff}/team`,
    [contract, times, link, messages, widgets, `${staff}/entry`],
    ['react', aria, queries],
  ),
  row(
    `${staff}/setup`,
    [
      ...[contract, times, link, messages, theme, widgets, state, camera, speech],
      ...[`${visitor}/screen`, `${staff}/entry`, `${staff}/hot-rule`, `${staff}/parts`],
    ],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    staff,
    [
      contract,
      times,
      link,
      messages,
      theme,
      sound,
      device,
      widgets,
      ...staffFolders.map((folder) => `${staff}/${folder}`),
    ],
    ['react', aria, 'react-intl', queries],
  ),
  row(
    `${renderer}/phone`,
    [
      ...[contract, link, messages, device],
      ...['address', 'entry', 'lead', 'list', 'parts', 'worklist'].map((folder) => `${staff}/${folder}`),
    ],
    ['react', aria, queries],
  ),
  row(renderer, [renderer], ['@fontsource-variable/figtree', queries, 'react', aria, 'react-dom']),
];
