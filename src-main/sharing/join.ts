/**
 * Joins the hub of a colleague's laptop by its code:
 *
 *     code ─► its server's key ─► POST /hub/join ─► signed file ─► enrolment, as with the file of any hub
 *
 * Invariants:
 * - nothing is sent to a server unless its key begins with the bytes in the code;
 * - the file must be signed for exactly that server;
 * - nothing on this device changes before the enrolment.
 */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { createClient } from '../core/foundations/api/client.ts';
import { ApiError } from '../core/foundations/api/error-class.ts';
import { parseOrUndefined } from '../core/foundations/api/json.ts';
import { pinOf } from '../core/foundations/api/server-key.ts';
import type { Clock } from '../core/foundations/ports.ts';
import { type OpenedFile, openFile, type Refused } from '../device-setup/enrolment.ts';
import { type JoinCode, pinStartOf, readJoinCode } from '../provision/join-code.ts';
import { JOIN_FORMAT, type JoinRefusal, joinAnswerSchema } from './messages.ts';

/** The laptop that asks to join. `expo` and `touchpoint` are null if it is not set up yet. */
export type Joiner = {
  readonly expo: string | null;
  readonly touchpoint: string | null;
  readonly laptop: string;
};

export type NotJoined = JoinRefusal | Refused['reason'] | 'mistyped';

const ANSWER_WITHIN_MS = 10_000;

/** The signed file that a sharing laptop gives for this code, or why it gives none. */
export async function askToJoin(
  folder: string,
  clock: Clock,
  code: string,
  joiner: Joiner,
): Promise<OpenedFile | NotJoined> {
  const read = readJoinCode(code);
  if (read === null) return 'mistyped';
  const pin = await pinAt(read);
  if (pin === null) return 'noAnswer';
  if (pinStartOf(pin) !== read.pinStart) return 'wrongHub';
  const text = await request(read, pin, clock, joiner);
  if (typeof text === 'string') return text;
  const opened = openFile(folder, clock.now(), text.file, joiner.expo, null);
  if (opened.kind === 'refused') return opened.reason;
  return opened.content.pin === pin ? opened : 'wrongHub';
}

/** The pin of the key that the server proves to hold. Only the handshake is sent. Null if no server answers. */
async function pinAt({ address, port }: JoinCode): Promise<string | null> {
  // The caller compares the key, because no certificate authority signed it.
  const socket = connect({ host: address, port, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined
      ? null
      : pinOf(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  } catch {
    return null;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

async function request(
  { address, port, secret }: JoinCode,
  pin: string,
  clock: Clock,
  joiner: Joiner,
): Promise<{ readonly file: string } | NotJoined> {
  const baseUrl = `https://${address}:${port}/create/v2`;
  // The secret is in the body; this request has no key.
  const access = { baseUrl, key: 'join', password: '', expoId: '', pin };
  const client = createClient(access, clock);
  try {
    const body = JSON.stringify({ format: JOIN_FORMAT, secret, ...joiner });
    const answer = joinAnswerSchema.safeParse(parseOrUndefined(await client.post('/hub/join', body)));
    if (!answer.success) return 'noHub';
    return answer.data.kind === 'file' ? { file: answer.data.text } : answer.data.reason;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errorClass.kind === 'reject' ? 'noHub' : 'noAnswer';
  } finally {
    await client.close();
  }
}
