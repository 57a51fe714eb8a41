/**
 * `POST /sendemail/{expoId}`: the confirmation of a registration (docs/interface/endpoints.md#rule-3).
 *
 * Invariants
 * - Without `force` a visitor gets the confirmation once, even if two requests arrive at the same time.
 * - `sent` is true only if the mailer accepted the message. Otherwise the confirmation can be requested again.
 */
import { z } from 'zod';
import { badRequest } from '../http/errors.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { isTakingPart } from '../interactions/project.ts';
import { text } from '../resources/fields.ts';
import type { ResourcePorts } from '../resources/single.ts';
import { type Doc, findRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Mail, Mailer } from './mailer.ts';

/** The body of the operation. */
export const emailRequest = z.strictObject({
  visitorId: text(64),
  type: z.enum(['confirmation']),
  force: z.boolean().optional(),
});

/** The answer. */
export const emailResult = z.object({
  visitorId: z.string(),
  type: z.enum(['confirmation']),
  force: z.boolean(),
  sent: z.boolean(),
});

/** Records that the e-mail is being sent. Returns false if it was sent before and `force` is not set. */
function claim(store: Store, visitorId: string, type: string, force: boolean, now: Date): Promise<boolean> {
  return store.write(async ({ db }) => {
    const values = { visitor_id: visitorId, type, sent_at: now.toISOString() };
    const answer = await db
      .insertInto('email')
      .values(values)
      .onConflict((conflict) => {
        const key = conflict.columns(['visitor_id', 'type']);
        return force ? key.doUpdateSet({ sent_at: values.sent_at }) : key.doNothing();
      })
      .executeTakeFirst();
    return (answer.numInsertedOrUpdatedRows ?? 0n) > 0n;
  });
}

function takeBack(store: Store, visitorId: string, type: string): Promise<void> {
  return store.write(async ({ db }) => {
    await db.deleteFrom('email').where('visitor_id', '=', visitorId).where('type', '=', type).execute();
  });
}

/** The visitor as a recipient. @throws ApiError 400 that says why the visitor gets no e-mail */
async function findRecipient(store: Store, expoId: string, visitorId: string): Promise<Doc> {
  const visitor = await findRecord(store.db, 'visitor', expoId, visitorId);
  if (!visitor || visitor.deleted) throw badRequest('Visitor not found');
  if (!isTakingPart(visitor.doc)) throw badRequest('The visitor is not registered');
  if (visitor.doc.email === undefined) throw badRequest('The visitor has no e-mail address');
  return visitor.doc;
}

/** The operation that sends the confirmation. */
export function sendEmailOperation(
  { store, now, newId }: ResourcePorts,
  mailer: Mailer,
  onFailure: (error: unknown) => void,
): Operation {
  const send = async ({ expo, body }: ExpoCall) => {
    const { visitorId, type, force = false } = body as z.infer<typeof emailRequest>;
    const visitor = await findRecipient(store, expo.id, visitorId);
    const answer = { visitorId, type, force };
    if (!(await claim(store, visitorId, type, force, now()))) return { ...answer, sent: false };
    try {
      const expoRecord = await findRecord(store.db, 'expo', expo.id, expo.id);
      await mailer.send({ id: newId(), date: now(), ...confirmationOf(visitor, expoRecord?.doc ?? {}) });
      return { ...answer, sent: true };
    } catch (error) {
      onFailure(error);
      await takeBack(store, visitorId, type);
      return { ...answer, sent: false };
    }
  };
  return {
    method: 'POST',
    path: '/sendemail/{expoId}',
    tag: 'sendemail',
    summary: 'Send the confirmation e-mail of a visitor',
    documented: true,
    right: 'write',
    body: emailRequest,
    example: { visitorId: 'AD2026V000002', type: 'confirmation', force: true },
    answer: emailResult,
    onExpo: true,
    handle: send,
  };
}

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

/** Recipient and content. The sender is the contact of the event. */
function confirmationOf(visitor: Doc, expo: Doc): Omit<Mail, 'id' | 'date'> {
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
