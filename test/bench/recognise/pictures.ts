/**
 * Photographs of badges and business cards. Chromium draws them with fonts of the system, tilt, blur, glare, shadow
 * and JPEG artefacts.
 *
 * Invariant: the same seed and person give the same picture on one machine.
 */
import type { Browser, Page } from '@playwright/test';
import type { Random } from '../../../src-platform/seed/random.ts';
import type { DrawnPerson } from './people.ts';

const FONTS = {
  latin: ['DejaVu Sans', 'DejaVu Serif', 'Noto Sans', 'Noto Serif', 'DejaVu Sans Condensed'],
  cyrillic: ['DejaVu Sans', 'DejaVu Serif', 'Noto Sans', 'Noto Serif'],
  arabic: ['Noto Naskh Arabic', 'Noto Sans Arabic', 'Noto Kufi Arabic'],
  han: ['Noto Sans CJK SC', 'Noto Serif CJK SC'],
  kana: ['Noto Sans CJK JP', 'Noto Serif CJK JP'],
} as const;

export type DrawPhotograph = (kind: 'badge' | 'card', person: DrawnPerson, random: Random) => Promise<Buffer>;

/** Draws pictures on a page of `browser`. */
export async function openPhotographs(browser: Browser): Promise<DrawPhotograph> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1200 } });
  const page: Page = await context.newPage();
  return async (kind, person, random) => {
    await page.setContent(`<body style="margin:0">${photograph(kind, person, random)}</body>`);
    await page.evaluate('document.fonts.ready');
    return page.screenshot({ type: 'jpeg', quality: 75 });
  };
}

/** A random number between `from` and `to`. */
const between = (random: Random, from: number, to: number): number => from + random.next() * (to - from);

function photograph(kind: 'badge' | 'card', person: DrawnPerson, random: Random): string {
  const font = `'${random.pick(FONTS[person.script])}', sans-serif`;
  const desk = random.pick(['#4a4038', '#8d8f94', '#20242b', '#c9c2b4']);
  const tilt = `perspective(2600px) rotate(${between(random, -6, 6)}deg) rotateX(${between(random, -12, 12)}deg) rotateY(${between(random, -12, 12)}deg)`;
  const light = random.chance(0.5)
    ? `radial-gradient(circle at ${between(random, 10, 90)}% ${between(random, 10, 90)}%, rgba(255,255,255,${between(random, 0.3, 0.8)}) 0, rgba(255,255,255,0) ${between(random, 12, 28)}%)`
    : 'none';
  const shadow = random.chance(0.5)
    ? `linear-gradient(${between(random, 0, 360)}deg, rgba(0,0,0,${between(random, 0.25, 0.5)}) 0 ${between(random, 20, 45)}%, rgba(0,0,0,0) ${between(random, 46, 60)}%)`
    : 'none';
  const direction = person.script === 'arabic' ? 'rtl' : 'ltr';
  return `<div style="position:relative;width:1600px;height:1200px;overflow:hidden;background:${desk};filter:blur(${between(random, 0, 1.6)}px)">
    <div style="position:absolute;inset:0;display:grid;place-items:center;transform:${tilt};font-family:${font}" dir="${direction}">
      ${kind === 'badge' ? badge(person) : card(person)}</div>
    <div style="position:absolute;inset:0;background:${light}"></div>
    <div style="position:absolute;inset:0;background:${shadow}"></div></div>`;
}

function badge({ first, last, company, jobTitle }: DrawnPerson): string {
  return `<div style="width:760px;height:1060px;background:#fbfaf6;border-radius:24px;text-align:center;color:#16181c">
    <div style="background:#1b4a7a;color:#fff;padding:44px 20px;font-size:46px;border-radius:24px 24px 0 0">ALPINE EXPO 2026</div>
    <div style="margin-top:110px;font-size:92px;font-weight:700">${first}</div>
    <div style="font-size:72px;font-weight:700">${last}</div>
    <div style="margin-top:60px;font-size:46px">${company}</div>
    <div style="margin-top:24px;font-size:36px;color:#444">${jobTitle}</div>
    <div style="margin-top:130px;font-size:44px;letter-spacing:8px;background:#e9b23c;padding:16px">VISITOR</div></div>`;
}

function card({ name, company, jobTitle, email, phone, web }: DrawnPerson): string {
  return `<div style="width:1200px;height:740px;background:#fdfdfb;padding:80px;box-sizing:border-box;color:#202020">
    <div style="font-size:52px;color:#1b4a7a;font-weight:700">${company}</div>
    <div style="margin-top:100px;font-size:64px">${name}</div>
    <div style="font-size:36px;color:#555">${jobTitle}</div>
    <div style="margin-top:70px;font-size:34px;line-height:1.5">${email}<br><bdi dir="ltr">${phone}</bdi><br>${web}</div></div>`;
}
