/**
 * Sends e-mail by SMTP, for platforms with a mail server (`--smtp`); the default is the file outbox.
 *
 * Invariants
 * - `send` resolves when the server accepted the message and throws otherwise.
 * - No error message contains the server's address or a password.
 */
import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

/** Time limit of each step, in milliseconds. */
const patience = 10_000;

/**
 * A mailer for `smtp://[user:password@]host[:port]` or `smtps://...`; uses STARTTLS if the server offers
 * it.
 */
export function createSmtpMailer(address: string): Mailer {
  const url = new URL(address);
  const secure = url.protocol === 'smtps:';
  const transport = createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (mail) => {
      try {
        await transport.sendMail({
          from: mail.from,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          date: mail.date,
          messageId: `<${mail.id}@platform.invalid>`,
        });
      } catch (error) {
        const { code = 'unknown reason', responseCode } = error as { code?: string; responseCode?: number };
        throw new Error(`The mail server did not take the message (${responseCode ?? code})`);
      }
    },
  };
}
