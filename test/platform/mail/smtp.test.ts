/**
 * E-mail by SMTP with a real conversation: a small mail server in the test accepts or refuses the message.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { createSmtpMailer } from '../../../src-platform/mail/smtp.ts';

type Conversation = { readonly said: string[]; readonly message: string[] };

/** A mail server that answers `RCPT` with this line. */
const startMailServer = async (
  onRecipient = '250 ok',
): Promise<Conversation & { readonly address: string }> => {
  const said: string[] = [];
  const message: string[] = [];
  const talk = (socket: Socket): void => {
    let inMessage = false;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say('220 mail.example');
    createInterface({ input: socket }).on('line', (line) => {
      if (inMessage) {
        if (line === '.') {
          inMessage = false;
          say('250 taken');
        } else message.push(line);
        return;
      }
      said.push(line);
      const verb = line.split(' ')[0]?.toUpperCase();
      if (verb === 'EHLO') say('250-mail.example\r\n250 AUTH PLAIN');
      else if (verb === 'AUTH') say('235 welcome');
      else if (verb === 'RCPT') say(onRecipient);
      else if (verb === 'DATA') {
        inMessage = true;
        say('354 go on');
      } else if (verb === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    });
    socket.on('error', () => undefined);
  };
  const server = createServer(talk).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { said, message, address: `smtp://user:p%40ss@127.0.0.1:${port}` };
};

const mail = {
  id: 'M1',
  to: 'lena@visitor.example',
  from: 'Automation Days <hello@automation-days.example>',
  subject: 'Ihre Anmeldung für Zürich',
  text: 'Guten Tag Lena',
  date: new Date('2026-11-21T10:00:00Z'),
};

it('a message reaches the mail server with its sender, recipient and text', async () => {
  const server = await startMailServer();
  await createSmtpMailer(server.address).send(mail);
  const plain = Buffer.from('\0user\0p@ss').toString('base64');
  expect(server.said).toContain(`AUTH PLAIN ${plain}`);
  expect(server.said).toContain('MAIL FROM:<hello@automation-days.example>');
  expect(server.said).toContain('RCPT TO:<lena@visitor.example>');
  expect(server.message).toContain('Message-ID: <M1@platform.invalid>');
  expect(server.message).toContain('Guten Tag Lena');
});

it('sending a refused message fails with an error that names neither the server nor the recipient', async () => {
  const server = await startMailServer('550 no such user lena@visitor.example');
  const sending = createSmtpMailer(server.address).send(mail);
  await expect(sending).rejects.toThrow(/^The mail server did not take the message \(550\)$/);
});

it('sending fails if no mail server listens at the address', async () => {
  const sending = createSmtpMailer('smtp://127.0.0.1:1').send(mail);
  await expect(sending).rejects.toThrow(/^The mail server did not take the message \(E\w+\)$/);
});
