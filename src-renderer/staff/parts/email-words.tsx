/** An e-mail address as text that wraps before the @ if it must wrap. */

/** The address. */
export function EmailWords({ email }: { readonly email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <bdi>
      {email.slice(0, Math.max(at, 0))}
      <wbr />
      {email.slice(Math.max(at, 0))}
    </bdi>
  );
}
