/**
 * The interface for sending e-mail, and the default mailer, which writes each message as a file into an outbox
 * folder. The SMTP sender is another `Mailer`.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Mail = {
  /** An alphanumeric, unique id. */
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly date: Date;
};

/** Submits a message. Resolves when the mail server accepted it or its file is written, and throws otherwise. */
export type Mailer = { readonly send: (mail: Mail) => Promise<void> };

function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** A header value must not start a new header. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** The message as an RFC 5322 text. */
function messageText(mail: Mail): string {
  return [
    `Date: ${mail.date.toUTCString()}`,
    `From: ${oneLine(mail.from)}`,
    `To: ${oneLine(mail.to)}`,
    `Message-ID: <${mail.id}@platform.invalid>`,
    `Subject: ${encodedWord(oneLine(mail.subject))}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(mail.text).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
}

/** A mailer that writes `<id>.eml` files. A file with that name is always complete. */
export function createFileOutbox(folder: string): Mailer {
  return {
    send: async (mail) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${mail.id}.eml`);
      await writeFile(`${path}.part`, messageText(mail), { mode: 0o600 });
      await rename(`${path}.part`, path);
    },
  };
}
