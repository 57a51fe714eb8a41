/** Demo stands, and what they contain: notice, consents, questions, contents with and without pictures, an activity. */
import type { OfferItem, Picture, Question, Stand } from '../../../src-main/contract/stand.ts';
import { plainStand } from './healthy-device.ts';

const notice: Stand['notice'] = {
  version: '2026-11',
  link: 'https://northwind.example/privacy/automation-days',
  texts: {
    en: {
      who: 'Northwind Robotics GmbH, Hall 4, stand B17',
      why: 'To get in touch about what interests you here.',
      howLong: '60 days, then it is deleted.',
    },
    de: {
      who: 'Northwind Robotics GmbH, Halle 4, Stand B17',
      why: 'Um sich zu dem zu melden, was Sie hier interessiert.',
      howLong: '60 Tage, dann wird gelöscht.',
    },
    ar: {
      who: 'شركة نورثويند روبوتكس، القاعة 4، الجناح B17',
      why: 'للتواصل معك بشأن ما يهمك هنا.',
      howLong: '60 يومًا ثم تُحذف.',
    },
    ja: {
      who: 'ノースウィンド・ロボティクス、4ホール B17',
      why: 'ご関心のある内容についてご連絡するため。',
      howLong: '60日後に削除します。',
    },
  },
};

const consents: Stand['consents'] = [
  {
    id: 'news',
    text: {
      en: 'Send me news by e-mail, about four times a year',
      de: 'Mir etwa viermal im Jahr Neuigkeiten per E-Mail schicken',
      ar: 'إرسال الأخبار إليّ بالبريد نحو أربع مرات في السنة',
      ja: '年4回ほど、メールでお知らせを受け取る',
    },
  },
  {
    id: 'call',
    text: {
      en: 'Call me after the event',
      de: 'Mich nach der Messe anrufen',
      ar: 'الاتصال بي بعد الفعالية',
      ja: 'イベント後の電話連絡',
    },
  },
];

const options = (texts: readonly string[]) =>
  texts.map((text, index) => ({ id: `o${index}`, text: { en: text } }));

/** One question of every kind. */
export const demoQuestions: Readonly<Record<Question['kind'], Question>> = {
  choice: {
    id: 'when',
    kind: 'choice',
    text: { en: 'When do you plan to buy?', de: 'Wann planen Sie zu kaufen?', ja: 'ご購入の時期は？' },
    options: options(['This year', 'Next year', 'Later', 'Just looking']),
  },
  several: {
    id: 'what',
    kind: 'several',
    text: {
      en: 'What interests you?',
      de: 'Was interessiert Sie?',
      ar: 'ما الذي يهمك؟',
      ja: 'ご関心は何ですか',
    },
    options: options([
      'Robot arms',
      'Driverless carts',
      'Vision',
      'Grippers',
      'Safety for people who work right beside machines',
      'Service',
    ]),
  },
  rating: {
    id: 'talk',
    kind: 'rating',
    text: { en: 'How was our talk?', de: 'Wie war unser Gespräch?', ja: 'お話はいかがでしたか' },
    options: [],
  },
  yesNo: {
    id: 'visit',
    kind: 'yesNo',
    text: {
      en: 'May we visit you?',
      de: 'Dürfen wir Sie besuchen?',
      ar: 'هل نزورك؟',
      ja: 'お伺いしてもよろしいですか',
    },
    options: [],
  },
  text: {
    id: 'wish',
    kind: 'text',
    text: { en: 'What should we bring next time?', de: 'Was sollen wir nächstes Mal mitbringen?' },
    options: [],
  },
};

/** The ids of all demo questions and of the question of `hardStand`. */
export const everyQuestion: string[] = [...Object.values(demoQuestions).map(({ id }) => id), 'hard'];

const products = [
  ['Arm R7, 14 kg payload', 'Data sheet and prices'],
  ['Cart M2 for warehouses', 'Film, 2 minutes'],
  ['Vision kit Lumen', 'Brochure, 24 pages'],
  ['Gripper duo', null],
  ['<b>Safety</b> & “fences”', 'Everything about light curtains, mats, scanners and what the law asks for'],
  ['協働ロボット入門', '無料セミナー資料'],
  ['ذراع آلية خفيفة', 'كتيّب'],
] as const;

/** `count` contents, starting with the partner's profile. With `pictured`, every second content has a picture. */
export function demoOffer(count: number, pictured = true): readonly OfferItem[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, summary] = products[(index - 1 + products.length) % products.length] ?? products[0];
    const profile = index === 0;
    return {
      id: `content-${index}`,
      kind: profile ? ('profile' as const) : ('product' as const),
      name: profile ? 'Northwind Robotics' : index > products.length ? `${name} ${index}` : name,
      summary: profile ? 'Who we are' : summary,
      description: profile
        ? null
        : `${name} lifts what people should not have to. ${'It learns a new part in minutes. '.repeat(6)}`,
      picture: pictured && index % 2 === 1 ? `picture-${index}` : null,
      link: `https://discover.example/c/content-${index}`,
    };
  });
}

/** Pictures for `demoOffer`. The one of content 3 is broken. */
export function demoPictures(count: number): ReadonlyMap<string, Picture> {
  return new Map(
    Array.from({ length: count }, (_, index) => [
      `picture-${index}`,
      {
        address: index === 3 ? 'data:image/png;base64,AAAA' : drawn(index),
        width: 640,
        height: 400,
      },
    ]),
  );
}

/** A transparent wordmark, six times as wide as high, in the colour `ink`. */
export function demoWordmark(ink: string): Picture {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="100"><path d="M10 90V10l60 80V10" fill="none" stroke="${ink}" stroke-width="16"/><text x="100" y="76" font-family="sans-serif" font-size="72" font-weight="700" textLength="480" fill="${ink}">Northwind</text></svg>`;
  return {
    address: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    width: 600,
    height: 100,
  };
}

/** A landscape in its own colour. */
function drawn(index: number): string {
  const hue = (index * 67) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="hsl(${hue} 45% 82%)"/><circle cx="470" cy="130" r="60" fill="hsl(${hue} 60% 94%)"/><path d="M0 400l190-220 130 140 110-90 210 170z" fill="hsl(${hue} 42% 42%)"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** A stand with notice, consents, two questions and twelve contents. */
export const fullStand: Stand = {
  ...plainStand,
  notice,
  consents,
  questions: [demoQuestions.choice, demoQuestions.rating],
  offer: { count: 12, here: null },
  email: true,
};

const HALF_HOUR_MS = 1_800_000;
/** The latest full or half hour before now. */
const lastHalfHour = Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS;

/** The activity of a check-in. It has begun and lasts for another half hour or longer. */
export const demoActivity: NonNullable<Stand['activity']> = {
  id: 'talk-1',
  name: 'Robots beside people',
  start: lastHalfHour,
  end: lastHalfHour + 2 * HALF_HOUR_MS,
  location: 'Forum 2',
  access: 'open',
  capacity: 80,
  count: 42,
};

const endless = (text: string, length: number) =>
  `${text} `.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Very long and unusual texts that the contract still allows. */
export const hardStand: Stand = {
  ...fullStand,
  notice: {
    version: '1',
    link: `https://northwind.example/${endless('privacy-and-cookies-', 300).replaceAll(' ', '')}`,
    texts: {
      en: {
        who: endless(
          'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 🤖',
          600,
        ),
        why: endless('<script>alert(1)</script> to get in touch about everything that interests you', 600),
        howLong: endless('as long as the law of every country asks for it', 600),
      },
    },
  },
  consents: Array.from({ length: 5 }, (_, index) => ({
    id: `c${index}`,
    text: { en: endless('Send me <b>news</b> by e-mail, by post and by carrier pigeon 🐦', 110) },
  })),
  questions: [
    {
      id: 'hard',
      kind: 'several',
      text: { en: endless('Which of these, honestly, interests you & your company?', 300) },
      options: Array.from({ length: 8 }, (_, index) => ({
        id: `h${index}`,
        text: { en: index === 3 ? '' : endless('Sicherheitslichtvorhänge und Schutzzäune', 40 + index * 30) },
      })),
    },
  ],
  activity: {
    ...demoActivity,
    name: endless('The long way from idea to product', 200),
    location: endless('Upper mezzanine', 120),
    capacity: null,
  },
};
