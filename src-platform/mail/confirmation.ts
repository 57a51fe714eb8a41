/** The confirmation e-mail, in the visitor's language if available, else in English. Pure. */
import type { Doc } from '../store/records.ts';
import type { Mail } from './mailer.ts';

type Words = {
  readonly subject: (event: string) => string;
  readonly hello: (name: string) => string;
  readonly text: (event: string, from: string, to: string) => string;
  readonly number: string;
};

const wordsByLanguage: Readonly<Record<string, Words>> = {
  en: {
    subject: (event) => `Your registration for ${event}`,
    hello: (name) => `Dear ${name},`,
    text: (event, from, to) => `You are registered for ${event}, ${from} to ${to}.`,
    number: 'Your registration number',
  },
  de: {
    subject: (event) => `Ihre Anmeldung zu ${event}`,
    hello: (name) => `Guten Tag ${name}`,
    text: (event, from, to) => `Sie sind für ${event} angemeldet, ${from} bis ${to}.`,
    number: 'Ihre Anmeldenummer',
  },
  fr: {
    subject: (event) => `Votre inscription à ${event}`,
    hello: (name) => `Bonjour ${name},`,
    text: (event, from, to) => `Vous êtes inscrit·e à ${event}, du ${from} au ${to}.`,
    number: "Votre numéro d'inscription",
  },
};

const english = wordsByLanguage.en as Words;

/** Recipient and content; the sender is the contact of the event. */
export function confirmationOf(visitor: Doc, expo: Doc): Omit<Mail, 'id' | 'date'> {
  const language = String(visitor.language ?? 'en').slice(0, 2);
  const words = Object.hasOwn(wordsByLanguage, language) ? (wordsByLanguage[language] ?? english) : english;
  const name = [visitor.firstName, visitor.lastName].filter(Boolean).join(' ');
  const [from, to] = [expo.start, expo.end].map((date) => String(date).slice(0, 10)) as [string, string];
  const event = String(expo.name);
  return {
    to: String(visitor.email),
    from: String(expo.contactEmail),
    subject: words.subject(event),
    text: `${words.hello(name)}\n\n${words.text(event, from, to)}\n${words.number}: ${visitor.id}\n`,
  };
}
