/**
 * Partners of the demo event with their profile and products.
 *
 * The first is Northwind Robotics, the stand of the demo kiosk. It is the same in every run.
 */
import { contents } from '../resources/contents.ts';
import { partners } from '../resources/partners.ts';
import { shapeOf } from '../resources/resource.ts';
import type { Bulk } from './bulk.ts';
import type { Random } from './random.ts';

const partnerShape = shapeOf(partners);
const contentShape = shapeOf(contents);

type Product = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly shape: keyof typeof drawings;
};

const drawings = {
  arm: '<path d="M20 80h30M35 80V55L52 35l28 16 8 8M80 51l2 12"/><circle cx="35" cy="55" r="5"/><circle cx="52" cy="35" r="5"/>',
  cart: '<rect x="22" y="40" width="56" height="26" rx="6"/><path d="M36 40V30h24"/><circle cx="34" cy="72" r="6"/><circle cx="66" cy="72" r="6"/>',
  lens: '<circle cx="50" cy="50" r="24"/><circle cx="50" cy="50" r="10"/><path d="M50 18v12M50 70v12M18 50h12M70 50h12"/>',
  box: '<path d="M22 38l28-14 28 14v28L50 80 22 66zM22 38l28 14 28-14M50 52v28"/>',
  wave: '<path d="M14 50c8-24 16-24 24 0s16 24 24 0 16-24 24 0"/>',
} as const;

const tints = ['#dde6fa', '#e2f0e8', '#f6e8d8', '#ebe6fb'] as const;
const inks = ['#1f4bd8', '#0b7a53', '#9a5b00', '#5b3fc4'] as const;

/** A line drawing as a data URL, so that a demo needs no file server. */
function drawing(shape: keyof typeof drawings, number: number): string {
  const tint = tints[number % tints.length];
  const ink = inks[number % inks.length];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="${tint}"/>` +
    `<g fill="none" stroke="${ink}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">` +
    `${drawings[shape]}</g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const northwind: readonly Product[] = [
  {
    name: 'Arm R7, 14 kg payload',
    summary: 'Data sheet and prices',
    description: 'Seven axes, 1.3 m reach, safe beside people. Set up by hand in one afternoon.',
    shape: 'arm',
  },
  {
    name: 'Cart M2 for warehouses',
    summary: 'Film, 2 minutes',
    description: 'Carries 300 kg for nine hours and finds its way without tape on the floor.',
    shape: 'cart',
  },
  {
    name: 'Vision kit Lumen',
    summary: 'Brochure, 24 pages',
    description: 'Camera, light and software that learns a part from ten pictures.',
    shape: 'lens',
  },
  {
    name: 'Everything on your phone',
    summary: 'Scan to open our page',
    description: 'All data sheets, films and contacts in one place.',
    shape: 'box',
  },
];

const families: readonly Product[] = [
  { name: 'Gripper', summary: 'Data sheet', description: 'For parts from 5 g to 8 kg.', shape: 'arm' },
  { name: 'Conveyor', summary: 'Planning guide', description: 'Modules of 500 mm, quiet.', shape: 'box' },
  { name: 'Laser scanner', summary: 'Certificate and manual', description: 'Safety class 3.', shape: 'lens' },
  { name: 'Servo drive', summary: 'Selection table', description: '0.4 to 22 kW.', shape: 'wave' },
  {
    name: 'Pallet shuttle',
    summary: 'Film, 3 minutes',
    description: 'Deep lanes down to -25 °C.',
    shape: 'cart',
  },
  { name: 'Line controller', summary: 'White paper', description: 'One cabinet per line.', shape: 'wave' },
  { name: 'Label printer', summary: 'Price list', description: '300 dpi, 12 labels a second.', shape: 'box' },
];

const nameStarts = [
  'Alpen',
  'Baltic',
  'Cobalt',
  'Delta',
  'Euro',
  'Fjord',
  'Gotthard',
  'Helvetia',
  'Ibis',
  'Jura',
  'Kestrel',
  'Lumière',
  'Magna',
] as const;
const nameEnds = ['Antriebe AG', 'Controls', 'Systèmes SA'] as const;

export type PartnerOptions = {
  readonly expoId: string;
  readonly types: readonly string[];
  readonly labels: readonly string[];
};

/** Ids with which other seed data refers to the partners and to the products of the demo stand. */
export type Exhibitors = {
  readonly partnerIds: readonly string[];
  readonly northwindProducts: readonly string[];
};

async function addProducts(
  bulk: Bulk,
  { expoId, labels }: PartnerOptions,
  partnerId: string,
  products: readonly Product[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [index, product] of products.entries()) {
    const id = `${partnerId}N${index + 1}`;
    ids.push(id);
    await bulk.add(contentShape, expoId, {
      id,
      expoID: expoId,
      partnerID: partnerId,
      category: 'product',
      name: product.name,
      summary: product.summary,
      source: index % 4 === 3 ? 'link' : 'internal',
      description: product.description,
      ...(index % 4 === 3 ? { url: `https://www.example.org/${partnerId}/${index + 1}` } : {}),
      image: drawing(product.shape, index),
      labels: labels.slice(index % 3, (index % 3) + 1),
    });
  }
  return ids;
}

function productsOf(random: Random, number: number): readonly Product[] {
  return number === 1
    ? northwind
    : Array.from({ length: 2 + random.below(5) }, (_unused, index) => {
        const family = random.pick(families);
        return {
          ...family,
          name: `${family.name} ${String.fromCharCode(65 + index)}${10 + random.below(90)}`,
        };
      });
}

/** Adds `count` partners with profile and products. */
export async function addPartners(
  bulk: Bulk,
  random: Random,
  count: number,
  options: PartnerOptions,
): Promise<Exhibitors> {
  const partnerIds: string[] = [];
  let northwindProducts: readonly string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const id = `${options.expoId}P${String(number).padStart(3, '0')}`;
    const start = nameStarts[number % nameStarts.length];
    const end = nameEnds[Math.floor(number / nameStarts.length) % nameEnds.length];
    const suffix = number > nameStarts.length * nameEnds.length ? ` ${number}` : '';
    const name = number === 1 ? 'Northwind Robotics' : `${start} ${end}${suffix}`;
    const hall = 1 + (number % 6);
    partnerIds.push(id);
    await bulk.add(partnerShape, options.expoId, {
      id,
      expoID: options.expoId,
      contactID: `CP${id}`,
      contactReference: `ERP-${id}`,
      name,
      stand:
        number === 1 ? 'Hall 4, B17' : `Hall ${hall}, ${random.pick(['A', 'B', 'C', 'D'])}${10 + number}`,
      registrationType: random.pick(options.types),
      description: `${name} shows what moves, grips, sees and counts.`,
      website: `https://www.example.org/${id}`,
      email: `stand@${id.toLowerCase()}.example.org`,
      country: random.pick(['CH', 'DE', 'FR', 'IT', 'NL']),
      labels: options.labels.length > 0 ? [random.pick(options.labels)] : [],
    });
    await bulk.add(contentShape, options.expoId, {
      id: `${id}N0`,
      expoID: options.expoId,
      partnerID: id,
      category: 'partner',
      name,
      summary: 'Who we are and what we show',
      source: 'internal',
      labels: [],
    });
    const products = await addProducts(bulk, options, id, productsOf(random, number));
    if (number === 1) northwindProducts = products;
  }
  return { partnerIds, northwindProducts };
}
