/** An e-mail address as text; where a line has to break it, it breaks before the @. */

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
