/**
 * Invented people of an event in five scripts, and the texts of their badges and cards.
 *
 * Invariants:
 * - The same seed gives the same people.
 * - Of 20,000 people in a script, only a few share any one name. If hundreds did, only their companies would differ.
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
const words = (text: string): readonly string[] => text.split(' ');
const cyrillicStems = words(
  'Бондар Ковал Шевч Ткач Мельнич Гонч Кравч Савч Левч Марч Петр Іван Павл Захар Федор Сидор Клим Яким Тимош Гавр',
);
const cyrillic = {
  first: words(
    'Олена Андрій Тарас Наталія Іван Марія Петро Оксана Юрій Ірина Микола Людмила Сергій Світлана Дмитро Катерина Богдан Галина Василь Вікторія Євген Ганна Роман Тетяна',
  ),
  last: cyrillicStems.flatMap((stem) => words('енко ук ишин івський ець').map((end) => stem + end)),
};
const arabic = {
  first: words(
    'حسن فاطمة محمد ليلى يوسف نورة أحمد مريم خالد عائشة علي سارة عمر هند سعيد ريم إبراهيم لطيفة عبدالله موزة راشد شيخة ماجد أمل',
  ),
  last: words(
    'المنصوري الهاشمي السعيدي النعيمي الكعبي الزعابي الشامسي الظاهري المهيري السويدي البلوشي المزروعي الحمادي الرميثي القبيسي العامري الكتبي الفلاسي المري الشحي الطنيجي الجابري الحوسني الدرمكي',
  ),
};
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

/** A person with one of many thousands of names in `script`. */
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
    case 'cyrillic': {
      const last = random.pick(cyrillic.last);
      return [
        random.pick(cyrillic.first),
        random.chance(0.5) ? last : `${last}-${random.pick(cyrillic.last)}`,
      ];
    }
    case 'arabic':
      return [`${random.pick(arabic.first)} ${random.pick(arabic.first)}`, random.pick(arabic.last)];
    case 'han':
      return [random.pick(HAN.given) + random.pick(HAN.given), random.pick(HAN.last)];
    case 'kana':
      return [random.pick(KANA.given) + random.pick(KANA.given), random.pick(KANA.last)];
  }
}
