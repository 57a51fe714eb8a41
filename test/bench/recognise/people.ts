/**
 * Invented people of an event in five scripts, and the texts of their badges and cards.
 *
 * Invariant: the same seed gives the same people.
 */

import { companies, jobTitles, namePools } from '../../../src-platform/seed/names.ts';
import type { Random } from '../../../src-platform/seed/random.ts';

export const SCRIPTS = ['latin', 'cyrillic', 'arabic', 'han', 'kana'] as const;
export type Script = (typeof SCRIPTS)[number];

export type DrawnPerson = {
  readonly script: Script;
  readonly first: string;
  readonly last: string;
  /** The name as it is written on a card. */
  readonly name: string;
  readonly company: string;
  readonly jobTitle: string;
  readonly email: string;
  readonly phone: string;
  readonly web: string;
};

const LATIN = ['FR', 'DE', 'CH', 'CZ', 'PL', 'SE', 'NL', 'IT', 'ES', 'PT', 'GB'];
const namesOf = (countries: readonly string[], which: 'first' | 'last'): readonly string[] =>
  namePools.filter(({ country }) => countries.includes(country)).flatMap((pool) => pool[which]);
const latin = { first: namesOf(LATIN, 'first'), last: namesOf(LATIN, 'last') };
const cyrillic = { first: namesOf(['UA'], 'first'), last: namesOf(['UA'], 'last') };
const arabic = { first: namesOf(['AE'], 'first'), last: namesOf(['AE'], 'last') };
const latinCompanies = companies.filter((name) => /^[\p{sc=Latin} &]{4,30}$/u.test(name));
const stems = ['Nord', 'Alpen', 'Castel', 'Mont', 'River', 'Kepler', 'Orion', 'Stern', 'Bergen', 'Lago'];
const ends = ['werk', 'mann', 'tech', 'field', 'berg', 'ini', 'oni', 'ström', 'hof', 'ard', 'feld', 'ert'];
const HAN = {
  last: [...'王李张刘陈杨黄赵周吴徐孙马朱胡林郭何高罗'],
  given: [...'伟芳娜敏静丽强磊军洋勇艳杰涛明超兰霞平刚桂英华玉建文辉力春国红志'],
};
const KANA = {
  last: [
    '佐藤',
    '鈴木',
    '高橋',
    '田中',
    '伊藤',
    '渡辺',
    '山本',
    '中村',
    '小林',
    '加藤',
    '吉田',
    '山田',
    '井上',
    '木村',
  ],
  given: [...'太郎花子美咲健大輔陽葵翔結衣蓮凛悠真央直樹恵香里奈智'],
};

/** A person with a name in `script`, one of many thousands. */
export function personOf(script: Script, random: Random): DrawnPerson {
  const [first, last] = namesIn(script, random);
  const firm = random.chance(0.5) ? random.pick(latinCompanies) : random.pick(stems) + random.pick(ends);
  const domain = firm
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
  const own = `${first}.${last}`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z.]/g, '');
  const box =
    script === 'latin' && random.chance(0.7)
      ? own
      : `${random.pick(['info', 'sales'])}.${random.below(900) + 100}`;
  return {
    ...{ script, first, last },
    name: script === 'han' || script === 'kana' ? `${last}${first}` : `${first} ${last}`,
    company: `${firm} ${random.pick(['GmbH', 'AG', 'Ltd', 'SA', 'S.p.A.', 'B.V.'])}`,
    jobTitle: random.pick(jobTitles),
    email: `${box}@${domain}.example`,
    phone: `+${random.pick(['41 44', '49 89', '33 1', '81 3'])} ${random.below(900) + 100} ${random.below(90) + 10} ${random.below(90) + 10}`,
    web: `www.${domain}.example`,
  };
}

function namesIn(script: Script, random: Random): readonly [string, string] {
  switch (script) {
    case 'latin': {
      const last = random.pick(latin.last);
      const made = `${random.pick(stems)}${random.pick(ends)}`;
      return [random.pick(latin.first), random.chance(0.5) ? last : `${made}-${last}`];
    }
    case 'cyrillic':
      return [random.pick(cyrillic.first), `${random.pick(cyrillic.last)}-${random.pick(cyrillic.last)}`];
    case 'arabic':
      return [`${random.pick(arabic.first)} ${random.pick(arabic.first)}`, random.pick(arabic.last)];
    case 'han':
      return [random.pick(HAN.given) + random.pick(HAN.given), random.pick(HAN.last)];
    case 'kana':
      return [random.pick(KANA.given) + random.pick(KANA.given), random.pick(KANA.last)];
  }
}
