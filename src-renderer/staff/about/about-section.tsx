/**
 * Shows the version of this app and the licences of its packages.
 *
 * Invariant: the list is built with the page (packaging/licences.ts) and fetched when the section opens.
 */
import { useQuery } from '@tanstack/react-query';
import { Text } from '../../messages/text.tsx';

type Licences = {
  readonly parts: readonly {
    readonly name: string;
    readonly version: string;
    readonly licence: string;
    readonly text: number | null;
  }[];
  readonly texts: readonly string[];
};

async function fetchLicences(): Promise<Licences> {
  const answer = await fetch('/licences.json');
  if (!answer.ok) throw new Error(`The list of licences answered ${answer.status}`);
  return (await answer.json()) as Licences;
}

/** The section. */
export function AboutSection({ version }: { readonly version: string }) {
  const licences = useQuery({ queryKey: ['licences'], queryFn: fetchLicences, retry: false });
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.version" values={{ version }} />
          </h1>
        </div>
        <p className="counts" role="status">
          {licences.isError ? (
            <Text id="about.missing" />
          ) : (
            <Text id="about.made" values={{ count: licences.data?.parts.length ?? 0 }} />
          )}
        </p>
      </header>
      <div className="about-page">
        {(licences.data?.parts ?? []).map((part) => (
          <Part
            key={`${part.name} ${part.version}`}
            {...part}
            words={licences.data?.texts[part.text ?? -1]}
          />
        ))}
      </div>
    </>
  );
}

type PartProps = Licences['parts'][number] & { readonly words: string | undefined };

/** One package, with the full text of its licence if the package contains one. */
function Part({ name, version, licence, words }: PartProps) {
  const line = (
    <>
      <bdi className="about-name">{name}</bdi> <bdi>{version}</bdi>{' '}
      <bdi className="about-licence">{licence}</bdi>
    </>
  );
  if (words === undefined) return <p className="about-part">{line}</p>;
  return (
    <details className="about-part">
      <summary>{line}</summary>
      <pre className="about-words" lang="en" dir="ltr">
        {words}
      </pre>
    </details>
  );
}
