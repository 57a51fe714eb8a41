/**
 * Describes an unexpected error for the log. Pure.
 *
 * Invariant: no name of a person, e-mail address or token (docs/laws.md#law-9). The message of an error may quote them:
 * `JSON.parse` quotes its input. So `traceOf` omits the message, and `whyOf` returns it for a few kinds of error only.
 */

/** The name, the code and the stack trace of an error. For any other value, its type. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const lines = (error.stack ?? '').split('\n');
  const end = lines.findLastIndex((line) => !line.startsWith('    at '));
  return [`${error.name}${code}`, ...lines.slice(end + 1)].join('\n');
}

/**
 * The message of an `ApiError`, or of an error of SQLite, the file system or the network. Such a message may quote a
 * path or a host, but no record. For any other error, the trace.
 */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return traceOf(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const quotesNothing = error.name === 'ApiError' || /^(SQLITE_|E[A-Z0-9]+$)/u.test(code);
  return quotesNothing ? error.message : traceOf(error);
}
